import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium } from '@nomen/testing/chromium'
import { follow } from '@nomen/testing/markdown/follow'
import { expect, it } from 'vitest'

it('shows the same page on mocks and on a service', async () => {
  await using browser = await startChromium()
  const page = await browser.newPage()
  // On a busy machine, Vite takes long to prepare the first page.
  page.setDefaultTimeout(120_000)
  const titles = () => page.locator('li').allTextContents()
  const two = ['The printer is out of paper', 'The screen flickers']
  const numbers: number[] = []
  await using followed = await follow('docs/guide/2-ui-on-mocks.md', {
    afterBlock: async ({ code }, { realUrl }) => {
      if (!code.includes('npx vite\n')) return
      await page.goto(realUrl('http://localhost:5173'))
      await page.getByText(`${two[1]}`).waitFor()
      expect(await titles()).toEqual(two)
      await page.getByLabel('Title').fill('No light')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText('No light').waitFor()
      await page.reload()
      await page.getByText(`${two[1]}`).waitFor()
      numbers.push((await titles()).length)
    },
  })
  // Mocks start with the sample data; a service keeps its records.
  expect(numbers).toEqual([2, 3])
  const bundles = globSync('dist/assets/*.js', { cwd: followed.folder })
  expect(bundles).not.toEqual([])
  for (const bundle of bundles)
    expect(readFileSync(join(followed.folder, bundle), 'utf8')).not.toMatch(/minLength|setupWorker/)
})
