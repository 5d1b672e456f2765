/** Reports in a browser: they render, load nothing, and are used with pointer, keyboard, and both colour schemes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { compile } from 'tegula'
import { Profile, profile } from 'tegula/profile'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explanationPage } from '../../src/compile/explain/explain-html.js'
import type { Explanation } from '../../src/compile/explain/explanation.js'
import { scope } from '../../src/tensor/scope.js'
import { hasCompiler } from '../support/compiler.js'
import { attacked, exampleRecord } from './attack.js'

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = browsers.find(existsSync)
const flags =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
const limits = { flopsPerNanosecond: 200, copyBytesPerNanosecond: 20, readBytesPerNanosecond: 22 }

describe.skipIf(executablePath === undefined || !hasCompiler)(
  'reports in a browser (needs Chromium and a C compiler)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tegula-report-'))
    let browser: Browser
    let explanation: Explanation
    /** Of ResNet-18's training step. */
    const [explained, profiled] = [join(folder, 'explained.html'), join(folder, 'profiled.html')]
    /** What went wrong on a page, and what it asked for besides itself. */
    const trouble: string[] = []

    beforeAll(async () => {
      const { default: step, inputs } = await import('./fixtures/resnet18-step.js')
      const f = compile(step)
      f(...(inputs as Parameters<typeof step>))
      explanation = f.explain(...(inputs as Parameters<typeof step>)).against(limits)
      explanation.toHtml(explained)
      const seen = await profile(() => scope(() => void f(...(inputs as Parameters<typeof step>))), { peak: false })
      seen.toHtml(profiled, { explanation })
      browser = await chromium.launch({ executablePath: executablePath!, args: flags.split(' ') })
    }, 300_000)
    afterAll(async () => {
      await browser?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    async function open(file: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
      const page = await browser.newPage({ viewport: { width: 1300, height: 900 }, ...options })
      page.on('console', message => trouble.push(`console: ${message.text()}`))
      page.on('pageerror', error => trouble.push(`error: ${error.message}`))
      page.on('request', request => {
        const url = request.url()
        if (url !== pathToFileURL(file).href && !url.startsWith('data:')) trouble.push(`request: ${url}`)
      })
      await page.goto(pathToFileURL(file).href)
      return page
    }

    /** Runs in the page. */
    const background = (page: Page): Promise<string> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>
    const viewBox = (page: Page): Promise<string | null> =>
      page.locator('#after-0 .canvas > svg').getAttribute('viewBox')

    it("ResNet-18's training step: under 5 MB, and soon interactive", async () => {
      for (const file of [explained, profiled]) {
        const page = await open(file)
        const ready = await page.evaluate('document.documentElement.dataset.ready')
        const { size } = statSync(file)
        console.log(`${(size / 1e6).toFixed(2)} MB, interactive after ${ready} ms`)
        expect(size).toBeLessThan(5e6)
        expect(Number(ready)).toBeGreaterThan(0)
        expect(await page.locator('#after-0 .node').count()).toBe(explanation.kernels.length)
        await page.close()
      }
    })

    it('links lead to what they name; a kernel opens with its code beside the lines that it comes from', async () => {
      const page = await open(explained)
      for (const href of await page
        .locator('nav a')
        .evaluateAll(links => links.map(link => link.getAttribute('href')!)))
        expect(await page.locator(href).count()).toBe(1)
      await page.locator('.bars a').first().click()
      const id = new URL(page.url()).hash.slice(1)
      const kernel = page.locator(`#${id}`)
      expect(await kernel.getAttribute('open')).not.toBeNull()
      const { name, lines } = explanation.kernels[Number(id.split('-')[1])]!
      const [source, generated] = [kernel.locator('.code').nth(0), kernel.locator('.code').nth(1)]
      expect(await generated.textContent()).toContain(`${name}(`)
      const text = readFileSync(lines[0]!.file, 'utf8').split('\n')[lines[0]!.line - 1]!
      expect(await source.textContent()).toContain(text.trim())
      await source.locator('button.row').first().click()
      expect(await generated.locator('.row.lit').count()).toBeGreaterThan(0)
      await page.close()
    })

    it('the graph is searched, zoomed and moved, by pointer and by keys', async () => {
      const page = await open(explained)
      const graph = page.locator('#after-0')
      await graph.scrollIntoViewIfNeeded()
      await expect.poll(() => viewBox(page)).toMatch(/^-?[\d.]+ -?[\d.]+ \d/)
      const seen = new Set([await viewBox(page)])
      const changes = async (action: () => Promise<void>): Promise<void> => {
        await action()
        const now = await viewBox(page)
        expect(seen.has(now)).toBe(false)
        seen.add(now)
      }
      await changes(() => graph.locator('[data-zoom=in]').click())
      await changes(() => graph.locator('[data-zoom=fit]').click())
      await graph.locator('.canvas').focus()
      await changes(() => page.keyboard.press('ArrowDown'))
      await changes(() => page.keyboard.press('+'))
      await changes(async () => {
        const box = (await graph.locator('.canvas').boundingBox())!
        await page.mouse.move(box.x + 300, box.y + 200)
        await page.mouse.down()
        await page.mouse.move(box.x + 200, box.y + 120)
        await page.mouse.up()
      })
      await changes(() => graph.locator('input').fill('batch_norm_relu'))
      expect(await graph.locator('.found').count()).toBeGreaterThan(1)
      await changes(() => graph.locator('input').press('Enter'))
      await graph.locator('output a').click()
      expect(new URL(page.url()).hash).toMatch(/^#kernel-\d+$/)
      await page.close()
    })

    it('kernels are filtered and ordered; the graph before fusion is a tab away', async () => {
      const page = await open(explained)
      await page.locator('#kernel-search').fill('crossentropy')
      const shown = await page.locator('details.kernel:visible').count()
      expect(shown).toBeGreaterThan(0)
      expect(shown).toBeLessThan(explanation.kernels.length)
      await page.locator('#kernel-search').fill('')
      await page.locator('[data-order=launch]').click()
      expect(await page.locator('details.kernel').first().getAttribute('id')).toBe('kernel-0')
      await page.locator('#tab-after-0').focus()
      await page.keyboard.press('ArrowRight')
      expect(await page.locator('#before-0 .node').first().isVisible()).toBe(true)
      await page.close()
    })

    it('all controls are reached by the Tab key, and none keeps it', async () => {
      const page = await open(explained)
      const reached = new Set<string>()
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Tab')
        const at = 'document.activeElement'
        reached.add((await page.evaluate(`${at}.id || ${at}.className || ${at}.tagName`)) as string)
      }
      for (const wanted of ['skip', 'tab-after-0', 'canvas live', 'kernel-search'])
        expect([...reached], wanted).toContain(wanted)
      await page.close()
    })

    it('follows the dark scheme, and fits narrow screens', async () => {
      const [light, dark] = [await open(profiled), await open(profiled, { colorScheme: 'dark' })]
      expect(await background(light)).not.toBe(await background(dark))
      await light.setViewportSize({ width: 380, height: 800 })
      expect(await light.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await light.close()
      await dark.close()
    })

    it('the timeline is drawn, zoomed by keys, and says what is under the pointer', async () => {
      const page = await open(profiled)
      const canvas = page.locator('.timeline canvas')
      await canvas.scrollIntoViewIfNeeded()
      const pixels = (): Promise<string> =>
        page.evaluate("document.querySelector('.timeline canvas').toDataURL()") as Promise<string>
      const before = await pixels()
      await canvas.focus()
      await page.keyboard.press('+')
      expect(await pixels()).not.toBe(before)
      const box = (await canvas.boundingBox())!
      await page.mouse.move(box.x + box.width / 2, box.y + 48)
      expect(await page.locator('.timeline .tip').textContent()).toMatch(/^\w+ .+: [\d.]+ (ns|µs|ms|s)/)
      await page.close()
    })

    it('data that tries to become code stays text', async () => {
      const files = [join(folder, 'attacked.html'), join(folder, 'attacked-profile.html')] as const
      const small = {
        ...explanation,
        segments: explanation.segments.map(each => ({ ...each, code: each.code.slice(0, 9999) })),
      }
      writeFileSync(files[0], explanationPage(attacked(small)))
      new Profile(attacked(exampleRecord)).toHtml(files[1])
      for (const file of files) {
        const page = await open(file)
        for (const summary of (await page.locator('summary:visible').all()).slice(0, 5)) await summary.click()
        expect(await page.title()).not.toBe('attacked')
        expect(await page.locator('img').count()).toBe(0)
        await page.close()
      }
    })

    it('no page asked for anything, or complained', () => expect(trouble).toEqual([]))
  },
)
