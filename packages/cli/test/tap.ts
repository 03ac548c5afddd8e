/** A preload for the command: on SIGUSR2 it collects its garbage and writes down what it holds. */
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
