/** `npm run bench:console`: the CPU time of the browser's main thread for a list of 250 rows and 11 columns. */
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { type Page, startChromium } from '@nomen/testing/chromium'
import { builtConsole } from './built.ts'

const rounds = 15
const columns = 'firstName lastName email phone extension status department supervisor created lastUpdated id'
const list = `/user-detail?${new URLSearchParams({ _columns: columns, pageSize: '250' })}`

/** The CPU time of the main thread so far, in milliseconds. It does not grow while other processes run. */
async function cpuMeter(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
}

/** Until the page has been painted twice and has nothing left to do. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve))))`)
}

function summary(title: string, values: readonly number[], limit?: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1)
  const target = limit === undefined ? '' : `, target ${limit} ms`
  return `${title}: median ${at(0.5)} ms (${at(0)} to ${at(1)})${target}`
}

const service = await open(directoryService({ users: 300 }), { database: 'sqlite::memory:', console: builtConsole })
const base = await service.listen({ port: 0 })
const browser = await startChromium()
try {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, reducedMotion: 'reduce' })
  await page.goto(`${base}/console/#/department`)
  await page.locator('tr[data-id]').first().waitFor()
  const cpu = await cpuMeter(page)
  const cost = async (act: () => Promise<unknown>) => {
    await settled(page)
    const before = await cpu()
    await act()
    await settled(page)
    return (await cpu()) - before
  }
  /** Opens a list and waits for its rows. Locators would poll, which costs time in the page. */
  const go = (path: string, rows: number) =>
    page.evaluate(`new Promise((resolve) => {
      const isShown = () => document.querySelector('table[aria-rowcount="${rows + 1}"][aria-busy="false"]') !== null
      const observer = new MutationObserver(() => {
        if (isShown()) resolve(observer.disconnect())
      })
      observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] })
      location.hash = ${JSON.stringify(path)}
    })`)
  const [opened, first, others, nothing]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let round = 0; round < rounds; round++) {
    opened.push(await cost(() => go(list, 250)))
    for (const id of [5, 6, 7, 8]) {
      const box = await page.waitForSelector(`tr[data-id="${id}"] input`)
      nothing.push(await cost(() => box.evaluate(() => {})))
      const ticked = await cost(() => box.evaluate((input) => (input as HTMLInputElement).click()))
      if (!(await box.isChecked())) throw new Error('The click did not change the box.')
      ;(id === 5 ? first : others).push(ticked)
    }
    await cost(() => go('/department', 13))
  }
  console.log(summary('Measurement itself', nothing))
  console.log(summary('Open the list', opened, 300))
  console.log(summary('Select a row', others, 16))
  console.log(summary('Select the first row, which shows the selection bar', first))
} finally {
  await browser.close()
  await service.close()
}
