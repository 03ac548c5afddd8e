/** Records which files a service file loads: itself and its imports, without packages. */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Starts to record loaded files. The returned function gives the files so far. */
export function recordLoadedFiles(): () => readonly string[] {
  const files = new Set<string>()
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:') && !url.includes('/node_modules/')) files.add(fileURLToPath(url))
      return next(url, context)
    },
  })
  return () => [...files]
}
