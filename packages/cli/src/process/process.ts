/** What a process is told before it loads anything: to start sooner the next time, and to need less memory. */
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

export function prepareProcess(): void {
  const folder = cacheFolder()
  if (folder !== undefined) enableCompileCache(join(folder, 'nomen'))
  // Lists of listeners look to V8 as if they lived long, because those of connections do. Made among old objects, those
  // of a request would hold on to all of it until the next full collection of garbage.
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** One's own: what lies in a folder that others can write must not be run. Undefined for a user without a home. */
function cacheFolder(): string | undefined {
  try {
    return process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  } catch {
    return undefined
  }
}
