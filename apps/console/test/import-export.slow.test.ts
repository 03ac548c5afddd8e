// Export and import of files in the console.
import { describe, expect, it } from 'vitest'
import { directoryConsole, pollUntil } from './directory-console.ts'

const { view, send, button } = directoryConsole()

describe('files', () => {
  it('are exported from a list, with its filters', async () => {
    await view.open('/user?status=SUSPENDED')
    await view.page.getByRole('row').nth(1).waitFor()
    await view.countClicks()
    await button('Export').click()
    const [csv] = await Promise.all([
      view.page.waitForEvent('download'),
      view.page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    expect(await view.clicks()).toBe(2)
    const lines = await textOf(csv)
    const { pageInfo } = (await send('GET', '/user?status=SUSPENDED')) as unknown as {
      pageInfo: { numberOfRecords: number }
    }
    expect(lines[0]).toBe('id,firstName,lastName,email')
    expect(lines).toHaveLength(pageInfo.numberOfRecords + 1)

    await button('Export').click()
    const [sheet] = await Promise.all([
      view.page.waitForEvent('download'),
      view.page.getByRole('menuitem', { name: 'Export for spreadsheets' }).click(),
    ])
    expect(sheet.suggestedFilename()).toBe('user.csv')
    expect((await textOf(sheet))[0]).toBe("'id,firstName,lastName,email")

    await view.open('/user?status=SUSPENDED&_columns=email+firstName')
    await button('Export').click()
    await view.page.getByRole('menuitemcheckbox', { name: 'Shown columns only' }).click()
    await view.expectNoErrors()
    const [json] = await Promise.all([
      view.page.waitForEvent('download'),
      view.page.getByRole('menuitem', { name: 'Export as NDJSON' }).click(),
    ])
    expect(Object.keys(JSON.parse((await textOf(json))[0] ?? ''))).toEqual(['email', 'firstName'])
  })

  it('are imported after their columns were chosen and all rows were checked', async () => {
    const csv = ['Name,gone', 'Import 1,false', ',maybe', 'Import 2,true'].join('\n')
    await view.open('/department?retired=true&retired=false&pageSize=50')
    await button('Import').click()
    const [template] = await Promise.all([
      view.page.waitForEvent('download'),
      view.page.getByRole('button', { name: 'Download template' }).click(),
    ])
    expect([template.suggestedFilename(), await textOf(template)]).toEqual(['department.csv', ['name,retired']])
    await view.page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'd.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const dialog = view.page.getByRole('dialog', { name: 'Import departments' })
    await dialog.getByText('d.csv: 3 rows').waitFor()
    // The title of a field counts as its name; another column is chosen by hand.
    expect(await dialog.getByRole('combobox', { name: 'Field for Name' }).inputValue()).toBe('Name')
    await dialog.getByRole('row', { name: /^gone/ }).getByText('false · maybe · true').waitFor()
    await dialog.getByRole('combobox', { name: 'Field for gone' }).click()
    await view.page.getByRole('option', { name: 'Retired' }).click()
    await view.expectNoErrors()
    const requests: string[] = []
    view.page.on('request', (request) => requests.push(request.method()))
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('2 ready, 1 with errors.').waitFor()
    await dialog.getByRole('cell', { name: 'Name is required. Retired: Enter true or false.' }).waitFor()
    expect(requests).not.toContain('POST')
    await view.expectNoErrors()
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
    await dialog.getByText('2 created, 1 rejected.').waitFor()
    await dialog.getByRole('cell', { name: '3', exact: true }).waitFor()
    await view.expectNoErrors()
    const [rejectedFile] = await Promise.all([
      view.page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download rejected rows' }).click(),
    ])
    expect(rejectedFile.suggestedFilename()).toBe('d-refused.csv')
    expect(await textOf(rejectedFile)).toEqual(["'_line,_reason,retired", expect.stringMatching(/^3,.*,maybe$/)])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await view.page.getByRole('cell', { name: 'Import 2' }).waitFor()
  })

  it('of JSON can be dropped onto the dialog, and rejected rows are downloaded as JSON', async () => {
    await view.open('/department?pageSize=50')
    await view.page.getByRole('row').nth(1).waitFor()
    await view.countClicks()
    await button('Import').click()
    const dialog = view.page.getByRole('dialog', { name: 'Import departments' })
    const drop = async (...files: readonly { readonly name: string; readonly text: string }[]) => {
      const json = JSON.stringify(files)
      const dataTransfer = await view.page.evaluateHandle(`{
        const dropped = new DataTransfer()
        for (const { name, text } of ${json}) dropped.items.add(new File([text], name))
        dropped
      }`)
      await dialog.dispatchEvent('drop', { dataTransfer })
    }
    await drop({ name: 'sheet.xlsx', text: 'PK' })
    await dialog.getByText('sheet.xlsx cannot be imported. Choose a CSV, NDJSON or JSON file.').waitFor()
    await drop({ name: 'a.json', text: '[]' }, { name: 'b.json', text: '[]' })
    await dialog.getByText('You chose 2 files. Import one at a time.').waitFor()
    await view.expectNoErrors()
    await drop({ name: 'd.json', text: '[{"name": "Dropped 1"}, {"retired": 5}, {"name": "Dropped 2"}]' })
    await dialog.getByText('d.json: 3 rows').waitFor()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
    await dialog.getByText('2 created, 1 rejected.').waitFor()
    expect(await view.clicks()).toBe(3)
    const [rejectedFile] = await Promise.all([
      view.page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download rejected rows' }).click(),
    ])
    expect(rejectedFile.suggestedFilename()).toBe('d-refused.json')
    expect(JSON.parse((await textOf(rejectedFile)).join('\n'))).toEqual([
      { _number: 2, _reason: expect.any(String), retired: 5 },
    ])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await pollUntil(() => view.column('Name')).toEqual(expect.arrayContaining(['Dropped 1', 'Dropped 2']))
  })

  it('continue an import that was stopped, without duplicates', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Again ${index}`)
    const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(['name', ...names].join('\n')) }
    const dialog = view.page.getByRole('dialog', { name: 'Import departments' })
    const chooseFile = async () => {
      await view.open('/department')
      await button('Import').click()
      await view.page.locator('input[type="file"]').setInputFiles(file)
      await dialog.getByText('a.csv: 12 rows').waitFor()
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByText('12 ready.').waitFor()
    }
    // The service creates the records, but its responses are delayed: the page does not know the outcome.
    const releases: (() => Promise<void>)[] = []
    await view.page.route('**/department', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      releases.push(() => route.fulfill({ response }))
    })
    await chooseFile()
    await dialog.getByRole('button', { name: 'Import 12 rows' }).click()
    await pollUntil(() => releases.length).toBe(6)
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await Promise.all(releases.slice(0, 3).map((release) => release()))
    await view.page.unroute('**/department')
    // The page is reloaded after half of the responses.
    await chooseFile()
    await dialog.getByText('This file was partly imported.').waitFor()
    await view.expectNoErrors()
    await dialog.getByRole('button', { name: 'Import 12 rows' }).click()
    await dialog.getByText('12 created.').waitFor()
    const { results } = (await send('GET', '/department?pageSize=1000')) as unknown as {
      results: { name: string }[]
    }
    expect(
      results
        .map((department) => department.name)
        .filter((name) => name.startsWith('Again '))
        .toSorted(),
    ).toEqual(names.toSorted())
    // A finished file starts a new import the next time.
    await chooseFile()
    expect(await dialog.getByText('This file was partly imported.').count()).toBe(0)
  })
})

async function textOf(download: { createReadStream(): Promise<NodeJS.ReadableStream> }): Promise<readonly string[]> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return `${Buffer.concat(chunks)}`.trim().split(/\r?\n/)
}
