import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identity, noun, resource, text } from '@nomen/core'
import { exportRecords, loadRecords } from '@nomen/server/admin'
import { describe, expect, it, onTestFinished } from 'vitest'
import { service, sourceOf } from './bulk-bench.ts'
import { bulkSuite } from './bulk-suite.ts'
import { exportSuite } from './export-suite.ts'
import { plainApi, serviceOf } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const make = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nomen-bulk-'))
  return { address: `sqlite:${join(folder, 'test.db')}`, remove: () => rm(folder, { recursive: true }) }
}

bulkSuite('on SQLite', make)
exportSuite('on SQLite', make)

describe('an SQLite database', () => {
  it('in memory is refused, because nothing would be left of it', async () => {
    const database = 'sqlite::memory:'
    const source = sourceOf('id,name\n')
    await expect(loadRecords(service, { database, noun: 'team', source })).rejects.toThrow('it would be gone')
    await expect(exportRecords(service, { database, noun: 'team', format: 'csv' })).rejects.toThrow('it would be gone')
  })

  it('that is not there is made by a load, and not by an export', async () => {
    const path = temporaryPath()
    const exporting = exportRecords(service, { database: `sqlite:${path}`, noun: 'team', format: 'csv' })
    await expect(exporting).rejects.toThrow('there is no such file')
    expect(existsSync(path)).toBe(false)
    const source = sourceOf('id,name\n3,Three\n')
    expect(await loadRecords(service, { database: `sqlite:${path}`, noun: 'team', source })).toMatchObject({
      loaded: 1,
    })
  })

  it('of other declarations is brought up to date by a load, and refused by an export', async () => {
    const { address: database, remove } = await make()
    onTestFinished(async () => void (await remove()))
    const older = serviceOf([plainApi(resource(noun('team', { id: identity(), name: text() })))])
    await loadRecords(older, { database, noun: 'team', source: sourceOf('name\nOne\n') })
    const exporting = () => exportRecords(service, { database, noun: 'team', format: 'csv' })
    await expect(exporting()).rejects.toThrow('The database does not fit the declarations. Nothing was changed.')
    await loadRecords(service, { database, noun: 'team', source: sourceOf('name\nTwo\n') })
    const all = await exporting()
    expect(all.numberOfRecords).toBe(2)
    await all.close()
  })
})
