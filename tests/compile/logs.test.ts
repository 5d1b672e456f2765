/** The log: its topics, one event a line, and what turns it on. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { changeLog, log, printEvent, topicsIn } from '../../src/base/log.js'
import { runObserver } from '../../src/compile/execute/run-observer.js'
import { compile, type LogChoice, type LogEvent, randn, setLogs, type Tensor, tensor } from '../../src/index.js'

afterEach(() => setLogs({}))

/** The line of the call. */
const here = (): number => Number(/:(\d+):\d+\)?$/.exec(new Error('here').stack!.split('\n')[2]!)![1])

/** The events of a function that compiles, compiles again, and is called again. */
function eventsOf(topics: LogChoice): { readonly events: readonly LogEvent[]; readonly line: number } {
  const rows = (count: number): Tensor => tensor(Array.from({ length: count }, () => [1, 2, 3]))
  const [small, large] = [rows(2), rows(4)]
  const line = here() + 1
  const layer = compile((x: Tensor) => x.exp().sum(-1), { name: 'layer' })
  const events: LogEvent[] = []
  setLogs(topics, event => events.push(event))
  layer(small)
  layer(large)
  layer(large)
  setLogs({})
  layer(small)
  return { events, line }
}

describe('the log', () => {
  it('tells of each topic, with the function, the line and one line of text', () => {
    const { events } = eventsOf({ all: true })
    expect([...new Set(events.map(({ topic }) => topic))].sort()).toEqual(
      ['cache', 'code', 'fusion', 'graph', 'guards', 'launch', 'recompiles'].filter(
        topic => topic !== 'graph' || events.some(event => event.topic === topic), // a cached plan has run no pass
      ),
    )
    for (const { name, at, what } of events) {
      expect(name).toBe('layer')
      expect(at!.file).toContain('logs.test.ts')
      expect(what).not.toContain('\n')
    }
  })

  it('tells of graphs and of the choices of max-autotune where nothing is cached', () => {
    const fresh = Math.random()
    const f = compile((x: Tensor, w: Tensor) => x.matmul(w).softmax(-1).mul(fresh), {
      name: 'tuned',
      mode: 'max-autotune',
    })
    const events: LogEvent[] = []
    setLogs({ graph: true, tune: true }, event => events.push(event))
    f(randn([130, 300]), randn([300, 200]))
    const of = (topic: string): string[] => events.filter(event => event.topic === topic).map(({ what }) => what)
    expect(of('graph')[0]).toMatch(/^\d+ nodes captured, \d+ after the passes: /)
    expect(of('tune')).toHaveLength(1)
    expect(of('tune')[0]).toMatch(/usual/)
  })

  it('says why a function compiles again, what is fused at which line, and each launch', () => {
    const { events, line } = eventsOf({ recompiles: true, fusion: true, launch: true, guards: false })
    const of = (topic: string): string[] => events.filter(event => event.topic === topic).map(({ what }) => what)
    expect(of('recompiles')).toEqual(['compiles again: args[0]: size of dim 0 was 2, now 4'])
    expect(of('fusion')).toEqual(['exp_sum_rows is exp, sum', 'exp_sum_rows is exp, sum'])
    expect(events.find(({ topic }) => topic === 'fusion')!.at!.line).toBe(line)
    expect(of('launch')).toHaveLength(3)
    expect(of('guards')).toEqual([])
  })

  it('observes no call while launches are not logged', () => {
    setLogs({ launch: true })
    expect(runObserver).not.toBeNull()
    setLogs({ graph: true })
    expect(runObserver).toBeNull()
  })

  it('does not ask for the text of a topic that is off', () => {
    const what = vi.fn(() => 'text')
    log('cache', 'f', what)
    changeLog(['graph'], () => {})
    log('cache', 'f', what)
    expect(what).not.toHaveBeenCalled()
  })

  it('writes events as lines', () => {
    const at = { file: '/app/model.ts', line: 3, column: 1 }
    expect(printEvent({ topic: 'code', name: 'f', at, what: 'two\n  lines' })).toBe(
      'tegula code: f at /app/model.ts:3: two lines',
    )
  })

  it('refuses topics that there are not, and names those that there are', () => {
    expect(topicsIn('graph, tune')).toEqual(['graph', 'tune'])
    expect(topicsIn('all')).toContain('launch')
    expect(() => topicsIn('graph,fusoin')).toThrow(/no topic "fusoin" .*graph, fusion, guards/)
    expect(() => setLogs({ fusoin: true } as LogChoice)).toThrow(/no option 'fusoin'/)
  })
})
