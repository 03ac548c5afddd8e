/** Processes that migrate one database at the same moment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('migrate-process.ts', import.meta.url))

/** Starts four and lets all go at once; what those say that found something to do. */
export async function migrateConcurrently(
  address: string,
  ...searched: readonly string[]
): Promise<readonly unknown[]> {
  const processes = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [script, address, ...searched], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')))
  for (const { stdin } of processes) stdin.write('go\n')
  const outputs = await Promise.all(processes.map(({ stdout }) => text(stdout)))
  const reports = outputs.map((report) => JSON.parse(report || '{"steps":"failed"}'))
  return reports.filter(({ steps }) => steps !== 0)
}
