/** The environment of a benchmark: a temporary folder, child processes that end with it, and a progress line. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAll } from './child.ts'

/** Runs the work in a temporary folder. An error is printed and ends the process. */
export async function session(name: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-bench-'))
  process.on('exit', () => {
    killAll()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
  try {
    await work(folder)
  } catch (error) {
    say('')
    console.error(error instanceof Error ? `${name}: ${error.message}` : error)
    process.exit(1)
  }
}

/** Shows a progress line on a terminal. */
export function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}
