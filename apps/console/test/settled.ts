/// <reference lib="dom" />
/** Waits until a page of the console shows everything that it has requested. */
import type { Page, Request } from '@nomen/testing/chromium'

/** A list waits for changes of its records in a request that stays open, so that the network is rarely idle. */
const longPoll = /[?&]wait=[1-9]/

/** Consecutive rounds without open requests. A response can cause further requests. */
const quietRounds = 3

/**
 * Call it before the page is opened. The returned function resolves when all requests have responses, fonts are loaded, and
 * neither an animation runs nor a part of the page is still loading.
 */
export function settledPage(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  page.on('request', (request) => {
    if (!longPoll.test(request.url())) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async () => {
    for (let round = 0; round < quietRounds; ) {
      const isReady = await page.evaluate(rendered)
      round = isReady && pending.size === 0 ? round + 1 : 0
    }
  }
}

/** Whether the page has nothing left to render, after it was idle for a moment. */
async function rendered(): Promise<boolean> {
  await document.fonts.ready
  await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)))
  return (
    document.querySelector('main') !== null &&
    document.querySelector('main :is([aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root)') === null &&
    document.getAnimations().every(({ playState }) => playState !== 'running')
  )
}
