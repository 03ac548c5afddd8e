/** Writing lines of an access log, against sonic-boom and rotating-file-stream. */
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { AccessLogFile } from '../../src/observe/access-log-file.ts'
import { type Contender, compare, library } from './compare.ts'

type Write = (text: string) => unknown
interface Stream extends NodeJS.EventEmitter {
  write: Write
  end(): void
}

const text = `192.0.2.1 51234 - user42 [15/Nov/2026:09:30:00 +0000] "GET /user/4711?include=department HTTP/1.1" 200 734 "-" "shop/1.2"`
const path = join(tmpdir(), `nomen-library-${process.pid}`)
const { default: SonicBoom } = await library<{ default: new (options: object) => Stream }>('sonic-boom')
const { createStream } = await library<{ createStream(name: string, options: object): Stream }>('rotating-file-stream')

/** 200,000 lines, 20 in each turn of the event loop, and the size of the file that they make. */
async function written(write: Write, close: () => Promise<unknown>, line: string): Promise<number> {
  for (let index = 0; index < 200_000; index++) {
    write(line)
    if (index % 20 === 0) await turn()
  }
  await close()
  const { size } = statSync(path)
  rmSync(path)
  return size / (text.length + 1)
}

function stream(open: () => Stream, last: string): Contender {
  return () => {
    const file = open()
    const close = () => {
      file.end()
      return once(file, last)
    }
    return written((line) => file.write(line), close, `${text}\n`)
  }
}

await compare('lines', {
  ours() {
    const file = new AccessLogFile(path, { onFault: console.error })
    const close = async () => {
      await file.close()
      // On a slow disk, lines beyond 8 MiB that wait are dropped, and reported: such a run compares nothing.
      if (file.dropped > 0) throw new Error(`${file.dropped} lines were dropped because the disk is too slow.`)
    }
    return written((line) => file.write(line), close, text)
  },
  'sonic-boom': stream(() => new SonicBoom({ dest: path }), 'close'),
  'sonic-boom, 64 KiB at once': stream(
    () => new SonicBoom({ dest: path, minLength: 65_536, maxWrite: 262_144 }),
    'close',
  ),
  'rotating-file-stream': stream(() => createStream(path, { size: '1G' }), 'finish'),
})
