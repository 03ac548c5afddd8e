// Exported lists can be imported into an empty copy of the service.
import { access, directory, directoryService } from '@nomen/directory'
import { type OpenService, open, type Service, service } from '@nomen/server'
import { startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { expect, it, onTestFinished } from 'vitest'
import { builtConsole } from './built.ts'
import { visit } from './visit.ts'

const users = 20

async function openService(definition: Service): Promise<{ readonly service: OpenService; readonly base: string }> {
  const opened = await open(definition, { database: 'sqlite::memory:', console: builtConsole })
  onTestFinished(() => opened.close())
  return { service: opened, base: await opened.listen({ port: 0 }) }
}

/** The records of a list without the values that only the service sets. */
async function recordsOf(service: OpenService, url: string): Promise<readonly object[]> {
  const { results } = (await inject(service, { url })).json() as { results: readonly { [name: string]: unknown }[] }
  const managed = ['id', 'created', 'lastUpdated']
  return results.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => !managed.includes(name))))
}

it('an exported list has the same records after an import into an empty copy', async () => {
  const [original, copy] = [
    await openService(directoryService({ users })),
    await openService(service({ name: 'copy', apis: [directory, access] })),
  ]
  const browser = await startChromium()
  onTestFinished(() => browser.close())
  const from = await visit(browser, `${original.base}/console/`, { checksAccessibility: false })
  const to = await visit(browser, `${copy.base}/console/`, { checksAccessibility: false })
  const departments = '/department?retired=true&retired=false'
  for (const [path, title, count] of [
    [departments, 'Import departments', 15],
    ['/user-detail', 'Import users', users],
  ] as const) {
    await from.open(path)
    await from.page.getByRole('button', { name: 'Export', exact: true }).click()
    const [download] = await Promise.all([
      from.page.waitForEvent('download'),
      from.page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    await to.open(path)
    await to.page.getByRole('button', { name: 'Import', exact: true }).click()
    await to.page.locator('input[type="file"]').setInputFiles(await download.path())
    const dialog = to.page.getByRole('dialog', { name: title })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: `Import ${count} rows` }).click()
    await dialog.getByText(/\d+ created(, \d+ rejected)?\./).waitFor()
    expect(await dialog.getByText(/created/).textContent()).toBe(`${count} created.`)
  }
  for (const url of [`${departments}&sort=name`, '/user-detail?sort=email&pageSize=100'])
    expect(await recordsOf(copy.service, url)).toEqual(await recordsOf(original.service, url))
})
