import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { rows, temporaryDatabase, temporaryPath } from '../../../test/temporary-database.ts'

const script = fileURLToPath(new URL('../../../test/migrate-process.ts', import.meta.url))

/** Starts four processes on one file and lets all migrate at the same moment; what the one that did the work says. */
async function startTogether(path: string, ...searched: readonly string[]) {
  const processes = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [script, path, ...searched], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')))
  for (const { stdin } of processes) stdin.write('go\n')
  const said = await Promise.all(processes.map(({ stdout }) => text(stdout)))
  const reports = said.map((report) => JSON.parse(report || '{"steps":"failed"}'))
  return reports.filter(({ steps }) => steps !== 0)
}

describe('processes that start at once on one file', () => {
  it('all succeed, and one of them does the work', async () => {
    const path = temporaryPath()
    expect(await startTogether(path)).toEqual([{ isFresh: true, steps: 3 }])
    const database = temporaryDatabase(path)
    database.exec(`
      WITH RECURSIVE counted(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 100000)
      INSERT INTO user (name) SELECT 'NAME ' || number FROM counted`)
    expect(await startTogether(path, 'user.name')).toEqual([{ isFresh: false, steps: 2 }])
    const folded = `SELECT count(*) AS records FROM user WHERE name_folded = 'name ' || id`
    expect(rows(database, folded)).toEqual([{ records: 100_000 }])
  })
})
