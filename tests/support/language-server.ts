/** Queries TypeScript's language server as an editor does: the text shown when hovering over a word. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly items?: readonly unknown[] }
  readonly result?: { readonly contents?: { readonly value?: string } } | null
}

export class LanguageServer {
  readonly #process: ChildProcessWithoutNullStreams = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: root })
  readonly #waiting = new Map<number, (message: Message) => void>()
  #received = Buffer.alloc(0)
  #requests = 0

  async start(): Promise<void> {
    this.#process.stdout.on('data', (data: Buffer) => this.#receive(data))
    const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } }
    await this.#request('initialize', { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities })
    this.#send({ method: 'initialized', params: {} })
  }

  stop(): void {
    this.#process.kill()
  }

  /** The hover text for each of `words` in a test file of the project with this text; null: nothing. */
  async hover(text: string, words: readonly string[]): Promise<readonly (string | null)[]> {
    const uri = pathToFileURL(`${root}tests/package/hovered.ts`).href
    this.#send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    })
    const shown: (string | null)[] = []
    for (const word of words) {
      const before = text.slice(0, text.indexOf(word)).split('\n')
      const position = { line: before.length - 1, character: before.at(-1)!.length + 1 }
      const { result } = await this.#request('textDocument/hover', { textDocument: { uri }, position })
      shown.push(result?.contents?.value ?? null)
    }
    return shown
  }

  #request(method: string, params: unknown): Promise<Message> {
    const id = ++this.#requests
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      this.#send({ id, method, params })
    })
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  #receive(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data])
    for (;;) {
      const head = this.#received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/Content-Length: (\d+)/.exec(this.#received.subarray(0, head).toString())![1])
      const end = head + 4 + length
      if (this.#received.length < end) return
      const message = JSON.parse(this.#received.subarray(head + 4, end).toString()) as Message
      this.#received = this.#received.subarray(end)
      this.#answer(message)
    }
  }

  /** A request from the server gets the answer of an editor with default settings. */
  #answer({ id, method, params, ...message }: Message): void {
    if (id === undefined) return
    if (method !== undefined) this.#send({ id, result: params?.items?.map(() => null) ?? null })
    else this.#waiting.get(id)?.(message)
  }
}
