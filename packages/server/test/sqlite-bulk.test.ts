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
import { rows, temporaryDatabase, temporaryPath } from './temporary-database.ts'
import { plainApi, serviceOf } from './test-service.ts'

const make = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nomen-bulk-'))
  return { address: `sqlite:${join(folder, 'test.db')}`, remove: () => rm(folder, { recursive: true }) }
}

bulkSuite('on SQLite', make)
exportSuite('on SQLite', make)

describe('an SQLite database', () => {
  it('in memory is rejected, because it would be lost', async () => {
    const database = 'sqlite::memory:'
    const source = sourceOf('id,name\n')
    await expect(loadRecords(service, { database, noun: 'team', source })).rejects.toThrow(
      'its data would be lost when the command ends',
    )
    await expect(exportRecords(service, { database, noun: 'team', format: 'csv' })).rejects.toThrow(
      'its data would be lost when the command ends',
    )
  })

  it('that does not exist is created by a load, and not by an export', async () => {
    const path = temporaryPath()
    const exporting = exportRecords(service, { database: `sqlite:${path}`, noun: 'team', format: 'csv' })
    await expect(exporting).rejects.toThrow('the file does not exist')
    expect(existsSync(path)).toBe(false)
    const source = sourceOf('id,name\n3,Three\n')
    expect(await loadRecords(service, { database: `sqlite:${path}`, noun: 'team', source })).toMatchObject({
      loaded: 1,
    })
  })

  it.each([
    ['team', 'id,name\n3,Three\nx,Four\n', 0],
    ['note', 'title,team\nA,\nB,x\n', 1],
  ])('has the position of a load only if it cannot recognize a record: %s', async (name, file, count) => {
    const path = temporaryPath()
    await loadRecords(service, { database: `sqlite:${path}`, noun: name, source: sourceOf(file) })
    expect(rows(temporaryDatabase(path), 'select * from "_load"')).toHaveLength(count)
  })

  it('of other declarations is migrated by a load, and rejected by an export', async () => {
    const { address: database, remove } = await make()
    onTestFinished(async () => void (await remove()))
    const older = serviceOf([plainApi(resource(noun('team', { id: identity(), name: text() })))])
    await loadRecords(older, { database, noun: 'team', source: sourceOf('name\nOne\n') })
    const exporting = () => exportRecords(service, { database, noun: 'team', format: 'csv' })
    await expect(exporting()).rejects.toThrow('The database does not match the declarations. Nothing was changed.')
    await loadRecords(service, { database, noun: 'team', source: sourceOf('name\nTwo\n') })
    const all = await exporting()
    expect(all.numberOfRecords).toBe(2)
    await all.close()
  })
})
