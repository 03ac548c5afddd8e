/** The files that a service file is made of: itself and all that it imports, those of packages apart. */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** From now on, every file that is loaded is noted. Gives those that were so far. */
export function noteLoadedFiles(): () => readonly string[] {
  const found = new Set<string>()
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:') && !url.includes('/node_modules/')) found.add(fileURLToPath(url))
      return next(url, context)
    },
  })
  return () => [...found]
}
