import { startChromium } from '@nomen/testing/chromium'
import { follow } from '@nomen/testing/markdown/follow'
import { expect, it } from 'vitest'

it('turns pages, saves at once, marks fields and overwrites nobody', async () => {
  await using browser = await startChromium()
  const page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  const save = async (title: string) => {
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await using _ = await follow('docs/guide/3-client.md', {
    afterBlock: async ({ code }, { realUrl }) => {
      if (code === 'npx vite\n') {
        await page.goto(realUrl('http://localhost:5173'))
        await page.getByText('Page 1 of 3, 12 tickets').waitFor()
        await page.getByRole('button', { name: 'Next' }).click()
        await page.getByText('Page 2 of 3').waitFor()
        await page.getByRole('button', { name: 'Printer 6 is out of paper' }).waitFor()
        await page.getByRole('button', { name: 'Back' }).click()
        await page.getByRole('button', { name: 'Printer 1 is out of paper' }).click()
        await page.getByRole('heading', { name: 'Printer 1 is out of paper' }).waitFor()
        await save('x')
        await page.getByRole('alert').getByText('must have at least 3 characters').waitFor()
        await page.getByRole('heading', { name: 'Printer 1 is out of paper' }).waitFor()
      }
      if (code.startsWith('curl -X PATCH')) {
        await save('Printer 1 has paper')
        await page.getByRole('alert').getByText('Somebody else has changed this ticket').waitFor()
        await page.getByRole('heading', { name: 'Printer 1 is on fire' }).waitFor()
        await save('Printer 1 has paper')
        await page.getByRole('button', { name: 'Printer 1 has paper' }).waitFor()
        expect(await page.getByRole('alert').textContent()).toBe('')
      }
    },
  })
})
