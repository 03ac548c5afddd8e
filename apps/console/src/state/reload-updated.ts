/** Reloads the page if a file of the console is missing, because the service has a newer console since the page was opened. */
import { router } from './router.ts'

const key = 'nomen-console-reloaded'

/** A file that is missing after a reload is missing in the new console as well. */
const pauseMs = 60_000

export function reloadIfUpdated(): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(key))
    // Unsaved input stays: the part of the page that needs the file shows the error.
    if (router.isGuarded() || Date.now() - last < pauseMs) return
    sessionStorage.setItem(key, `${Date.now()}`)
    location.reload()
  })
}
