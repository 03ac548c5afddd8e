import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { rows, temporaryDatabase, temporaryPath } from '../../../test/temporary-database.ts'

const script = fileURLToPath(new URL('../../../test/migrate-process.ts', import.meta.url))

/** Starts four processes on one file that all migrate at the same moment. */
async function startTogether(path: string, ...added: readonly string[]) {
  const moment = `${Date.now() + 1000}`
  const run = () => promisify(execFile)(process.execPath, [script, path, moment, ...added])
  const ends = await Promise.all([run(), run(), run(), run()])
  return ends.map(({ stdout }) => JSON.parse(stdout) as { isFresh: boolean; steps: number })
}

describe('processes that start at once on one file', () => {
  it('all succeed, and one of them does the work', async () => {
    const path = temporaryPath()
    const made = await startTogether(path)
    expect(made.filter(({ steps }) => steps > 0)).toEqual([{ isFresh: true, steps: 2 }])
    const database = temporaryDatabase(path)
    const insert = database.prepare('INSERT INTO user (name) VALUES (?)')
    database.exec('BEGIN')
    for (let count = 0; count < 50_000; count++) insert.run(`name ${count}`)
    database.exec('COMMIT')
    const changed = await startTogether(path, 'motto')
    expect(changed.filter(({ steps }) => steps > 0)).toEqual([{ isFresh: false, steps: 1 }])
    expect(rows(database, 'SELECT count(*) AS records FROM user WHERE motto_folded = motto')).toEqual([
      { records: 50_000 },
    ])
  })
})
