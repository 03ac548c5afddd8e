/** Sets options of Node before other modules load: the compile cache for faster starts, and a V8 flag for less memory. */
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

export function prepareProcess(): void {
  const folder = cacheFolder()
  if (folder !== undefined) enableCompileCache(join(folder, 'nomen'))
  // V8 would allocate listener arrays in the old generation, because those of connections live long. There, arrays of a
  // request would keep the request alive until the next major garbage collection.
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** A folder of this user, since code from a folder that others can write must not run. Undefined without a home folder. */
function cacheFolder(): string | undefined {
  try {
    return process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  } catch {
    return undefined
  }
}
