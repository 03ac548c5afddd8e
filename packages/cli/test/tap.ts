/** A preload for the command: on SIGUSR2 it runs a garbage collection and writes its memory usage. */
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  writeFileSync(process.env.TAP_FILE ?? '', JSON.stringify({ heap: heapUsed + external, rss }))
})
