// The console in a real browser, on the real directory: every flow, and what is written on both databases.

import { directoryService } from '@nomen/directory'
import { type OpenService, open } from '@nomen/server'
import { type Browser, startChromium } from '@nomen/testing/chromium'
import { inject } from '@nomen/testing/inject'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtConsole } from './built.ts'
import { type Visit, visit } from './visit.ts'

let browser: Browser

beforeAll(async () => {
  browser = await startChromium()
})

afterAll(() => browser?.close())

/** What comes when it comes: others may keep the machine busy. */
const until: typeof expect.poll = (ask, options) => expect.poll(ask, { timeout: 10_000, ...options })

const databases = {
  SQLite: async () => ({ url: 'sqlite::memory:', remove: async () => {} }),
  PostgreSQL: () => temporaryPostgres(),
}

describe.each(Object.keys(databases) as (keyof typeof databases)[])('on %s', (name) => {
  let service: OpenService
  let base: string
  let remove: () => Promise<void>
  let at: Visit

  beforeAll(async () => {
    const database = await databases[name]()
    remove = database.remove
    service = await open(directoryService(), { database: database.url, console: builtConsole() })
    base = await service.listen({ port: 0 })
    // What is drawn is the same on every database: it is judged once.
    at = await visit(browser, `${base}/console/`, { isJudged: name === 'SQLite' })
  })
  afterAll(async () => {
    await at?.close()
    await service?.close()
    await remove?.()
  })

  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const answer = await inject(service, { method, url, ...(payload && { payload }) })
    return answer.json() as { [name: string]: unknown }
  }
  /** A user of one's own, whom no other test changes. */
  const newUser = async (more: object = {}) => {
    const email = `${crypto.randomUUID()}@example.com`
    return (await ask('POST', '/user', { firstName: 'Ada', lastName: 'Byron', email, department: 1, ...more })) as {
      id: number
      email: string
    }
  }
  const button = (title: string | RegExp) =>
    at.page.getByRole('button', { name: title, exact: typeof title === 'string' })
  const field = (title: string) => at.page.getByLabel(new RegExp(`^${title}( \\*)?$`))

  describe.runIf(name === 'SQLite')('a list', () => {
    it('opens at the first noun, with the columns of the list shape and all its totals', async () => {
      await at.open('')
      await at.page.getByRole('cell', { name: 'lukasz.nowak@example.com' }).waitFor()
      expect(at.address()).toBe('/user')
      const heads = await at.page.getByRole('columnheader').allInnerTexts()
      expect(heads.map((head) => head.trim())).toEqual(['', 'ID', 'First name', 'Last name', 'Email', 'Actions'])
      await at.page.getByText(/^1–10 of 2\d\d$/).waitFor()
      await at.isSound()
    })

    it('turns pages, sorts and sizes by the address, so that Back and a link show the same', async () => {
      await at.open('/user')
      await button('Page 2').click()
      await at.page.getByText(/^11–20 of 2\d\d$/).waitFor()
      await at.page.getByRole('button', { name: 'Last name' }).click()
      await at.page.getByRole('columnheader', { name: 'Last name', sort: 'ascending' } as never).waitFor()
      expect(at.address()).toBe('/user?sort=lastName')
      await at.page.getByRole('combobox', { name: 'Records on a page' }).click()
      await at.page.getByRole('option', { name: '25 a page' }).click()
      await at.page.getByText(/^1–25 of 2\d\d$/).waitFor()
      const shown = await at.column('Last name')
      await at.page.getByLabel('Go to page').fill('8')
      await at.page.keyboard.press('Enter')
      await at.page.getByText(/^176–200 of/).waitFor()
      expect(at.address()).toBe('/user?sort=lastName&pageSize=25&pageNumber=8')
      await at.page.goBack()
      await at.page.getByText(/^1–25 of 2\d\d$/).waitFor()
      await at.open('/user?sort=lastName&pageSize=25')
      await at.page.getByText(/^1–25 of 2\d\d$/).waitFor()
      expect(await at.column('Last name')).toEqual(shown)
    })

    it('filters by choices, references, ranges and search', async () => {
      await at.open('/user-detail')
      await at.page.getByText(/^1–10 of 2\d\d$/).waitFor()
      const filter = async (title: string) => {
        await button('Filter').click()
        await at.page.getByRole('menuitem', { name: title, exact: true }).click()
      }
      await filter('Status')
      await at.page.getByRole('checkbox', { name: 'Suspended' }).check()
      await until(() => at.column('Status').then((all) => new Set(all))).toEqual(new Set(['Suspended']))
      await at.page.keyboard.press('Escape')
      await filter('Department')
      await at.page.getByRole('combobox', { name: 'Department' }).click()
      await at.page.getByRole('option', { name: 'Operations' }).click()
      await until(() => at.column('Department').then((all) => new Set(all))).toEqual(new Set(['Operations']))
      await at.isSound()
      await at.page.keyboard.press('Escape')
      await at.page.keyboard.press('Escape')
      await filter('Created or updated')
      await field('Created or updated, from').fill('2012-01-01')
      await field('Created or updated, before').fill('2030-01-01')
      await button('Done').click()
      expect(new URLSearchParams(at.address().split('?')[1]).get('createdOrUpdatedTo')).toBe('2030-01-01T00:00:00.000Z')
      await button('Clear all').click()
      await at.page.getByText(/^1–10 of 2\d\d$/).waitFor()
      await at.page.keyboard.press('/')
      await at.page.keyboard.type('nowak')
      await until(() => at.column('Last name').then((all) => new Set(all))).toEqual(new Set(['Nowak']))
      expect(at.address()).toBe('/user-detail?search=nowak')
    })

    it('shows as much of each record as one wants', async () => {
      await at.open('/user?search=nowak')
      await at.page.locator('label', { hasText: 'Summary' }).click()
      await until(() => at.address()).toBe('/user-summary?search=nowak')
      await until(() => at.page.getByRole('columnheader').count()).toBe(5)
    })

    it('shows the columns that one chooses, also the next time, and all of them again', async () => {
      const heads = async () => (await at.page.getByRole('columnheader').allInnerTexts()).slice(1, -1)
      const all = ['ID', 'First name', 'Last name', 'Email']
      await at.open('/user')
      await until(heads).toEqual(all)
      await button('Columns').click()
      await at.page.getByRole('menuitemcheckbox', { name: 'First name' }).click()
      await at.page.getByRole('menuitemcheckbox', { name: 'ID' }).click()
      await until(heads).toEqual(['Last name', 'Email'])
      await at.isSound(['aria-allowed-attr', 'aria-required-children', 'button-name', 'color-contrast'])
      // What leads to the record is then the first one that is shown.
      await at.open('/user')
      await until(heads).toEqual(['Last name', 'Email'])
      await at.page.getByRole('link', { name: 'Nowak', exact: true }).first().waitFor()
      // Another list has columns of its own.
      await at.open('/user-summary')
      await until(heads).toEqual(['ID', 'First name', 'Last name'])
      await at.open('/user')
      await button('Columns, 2 of 4 shown').click()
      await at.page.getByRole('menuitem', { name: 'Show all columns' }).click()
      await until(heads).toEqual(all)
      await button('Columns').click()
      for (const name of all.slice(1)) await at.page.getByRole('menuitemcheckbox', { name }).click()
      expect(await at.page.getByRole('menuitemcheckbox', { name: 'ID' }).isDisabled()).toBe(true)
      await at.page.getByRole('menuitem', { name: 'Show all columns' }).click()
      await until(heads).toEqual(all)
    })

    it('says what counts by default, and lets it be changed', async () => {
      await at.open('/department')
      await button(/^Retired ?no/).click()
      await at.page.getByRole('checkbox', { name: 'Yes' }).check()
      await until(() => at.address()).toBe('/department?retired=true')
      await at.page.getByRole('img', { name: 'yes' }).first().waitFor()
    })

    it('names the records that references point at', async () => {
      await at.open('/v1/role')
      await at.page.getByRole('link', { name: 'Payroll' }).first().click()
      await until(() => at.address()).toBe('/v1/application/1')
    })

    it('says that nothing fits, that the page lies past the end, and what went wrong', async () => {
      await at.open('/user?search=nobody-is-called-so')
      await at.page.getByText('No user fits these filters.').waitFor()
      await button('Clear the filters').click()
      await at.page.getByText(/^1–10 of 2\d\d$/).waitFor()
      await at.open('/user?pageNumber=999')
      await at.page.getByText('There are not so many pages.').waitFor()
      await at.isSound()
      await at.open('/user?stauts=ACTIVE')
      await at.page.getByRole('alert').getByText('Did you mean "status"?').first().waitFor()
      await at.isSound()
      await at.open('/user/999999')
      await at.page
        .getByRole('alert')
        .getByText(/999999/)
        .waitFor()
      await at.open('/nothing')
      await at.page.getByText('There is nothing at /nothing').waitFor()
      await at.isSound()
    })

    it('says that no answer came, and tries again', async () => {
      await at.page.route('**/user?*', (route) => route.abort())
      await at.open('/user?pageSize=25')
      await at.page
        .getByRole('alert')
        .getByText(/does not answer/)
        .waitFor()
      await at.isSound()
      await at.page.unroute('**/user?*')
      await button('Try again').click()
      await at.page.getByText(/^1–25 of 2\d\d$/).waitFor()
    })

    it('says when a busy service is worth another try', async () => {
      await at.page.route('**/user?*', (route) =>
        route.fulfill({ status: 503, headers: { 'retry-after': '7' }, json: { title: 'Busy', detail: 'Too many.' } }),
      )
      await at.open('/user?pageSize=25')
      await at.page
        .getByRole('alert')
        .getByText(/try again in 7 seconds/)
        .waitFor()
      await at.page.unroute('**/user?*')
    })

    it('shows that it waits', async () => {
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await at.page.route('**/department?*', async (route) => {
        await held
        await route.continue()
      })
      await at.open('/department?pageSize=25')
      await at.page.locator('table[aria-busy="true"]').waitFor()
      await at.isSound()
      release()
      await at.page.getByRole('cell', { name: 'Operations' }).waitFor()
    })

    it('is walked by keys alone', async () => {
      await at.open('/user')
      await at.page.getByRole('cell', { name: 'lukasz.nowak@example.com' }).waitFor()
      await at.page.keyboard.press('Tab')
      await at.page.keyboard.press('Enter')
      expect(await at.page.locator(':focus').getAttribute('id')).toBe('main')
      await at.page.getByRole('link', { name: '1', exact: true }).focus()
      await at.page.keyboard.press('ArrowDown')
      await at.page.keyboard.press('ArrowDown')
      await at.page.keyboard.press('Enter')
      await at.page.getByRole('heading', { name: 'Anna Keller' }).waitFor()
      expect(at.address()).toBe('/user/3')
    })

    it('suspends and reactivates in place, by PATCH', async () => {
      const { id } = await newUser()
      await at.open(`/user?id=${id}`)
      await button(`Actions for user ${id}`).click()
      await at.page.getByRole('menuitem', { name: 'Status: set Suspended' }).click()
      await at.told('Status is now Suspended.')
      expect((await ask('GET', `/user/${id}`)).status).toBe('SUSPENDED')
      await button(`Actions for user ${id}`).click()
      await at.page.getByRole('menuitem', { name: 'Status: set Active' }).click()
      await at.told('Status is now Active.')
      expect((await ask('GET', `/user/${id}`)).status).toBe('ACTIVE')
    })
  })

  // The requests themselves are proven on both.
  describe.runIf(name === 'SQLite')('several records', () => {
    it('are chosen and changed together, and what is refused stays chosen', async () => {
      const made = [await newUser(), await newUser(), await newUser()]
      const [one, two, three] = made.map(({ id }) => id)
      await ask('PATCH', `/user/${two}`, { status: 'SUSPENDED' })
      await at.open(`/user-detail?id=${one}&id=${two}&id=${three}`)
      await at.page.getByRole('checkbox', { name: `Choose user ${one}` }).click()
      await at.page.getByRole('checkbox', { name: `Choose user ${three}` }).click({ modifiers: ['Shift'] })
      const bar = at.page.getByRole('region', { name: 'Chosen records' })
      await bar.getByText('3 chosen').waitFor()
      await at.isSound()
      await bar.getByRole('button', { name: 'Change' }).click()
      await at.page.getByRole('menuitem', { name: 'Status: set Suspended' }).click()
      const change = at.page.getByRole('dialog', { name: 'Status: set Suspended: 3 records?' })
      await change.getByRole('button', { name: 'Status: set Suspended' }).click()
      await at.told('Status: set Suspended: 3 records done.')
      await until(() => at.column('Status')).toEqual(['Suspended', 'Suspended', 'Suspended'])
      await until(() => bar.count()).toBe(0)

      // Someone else is faster with one of them.
      await at.page.getByRole('checkbox', { name: 'Choose all on this page' }).click()
      await ask('DELETE', `/user/${two}`)
      await bar.getByRole('button', { name: 'Delete …' }).click()
      const remove = at.page.getByRole('dialog', { name: 'Delete: 3 records?' })
      await at.isSound()
      await remove.getByRole('button', { name: 'Delete' }).click()
      await remove.getByText('2 records done, 1 refused.').waitFor()
      await remove.getByRole('rowheader', { name: `${two}` }).waitFor()
      await remove.getByRole('button', { name: 'Close' }).last().click()
      await at.page.getByText('No user fits these filters.').waitFor()
    })

    it('that were deleted are created again, as far as that goes', async () => {
      const made = [await newUser(), await newUser({ phone: '7' }), await newUser()]
      await at.open(`/user-detail?${made.map(({ email }) => `email=${encodeURIComponent(email)}`).join('&')}`)
      await at.page.getByRole('checkbox', { name: 'Choose all on this page' }).click()
      await button('Delete …').click()
      const remove = at.page.getByRole('dialog', { name: 'Delete: 3 records?' })
      await remove.getByText(/They can be created again, each under a new id/).waitFor()
      await remove.getByRole('button', { name: 'Delete' }).click()
      await at.page.getByText('No user fits these filters.').waitFor()
      // Someone takes the address of one of them meanwhile.
      const taken = `${made[2]?.email}`
      await ask('POST', '/user', { firstName: 'New', lastName: 'One', email: taken, department: 1 })
      await button('Create them again').click()
      await at.told(/2 of 3 are created again. Not brought back: preference. Refused: .*/)
      await at.told(new RegExp(taken))
      await until(() => at.column('Phone').then((all) => all.toSorted())).toEqual(['', '', '7'])
      await at.isSound()
    })

    it('that are linked are unlinked together', async () => {
      const role = (await ask('POST', '/v1/role', { applicationRef: 1, name: `Several ${name}`, description: '' })) as {
        roleRef: number
      }
      const { results } = (await ask('GET', '/v1/action?applicationRef=1&pageSize=2')) as unknown as {
        results: { actionRef: number }[]
      }
      for (const { actionRef } of results)
        await inject(service, { method: 'PUT', url: `/v1/role/${role.roleRef}/action/${actionRef}` })
      await at.open(`/v1/role/${role.roleRef}/action`)
      await at.page.getByRole('checkbox', { name: 'Choose all on this page' }).click()
      await button('Unlink …').click()
      await at.page.getByRole('dialog', { name: 'Unlink: 2 records?' }).getByRole('button', { name: 'Unlink' }).click()
      await at.page.getByText('There is no action yet.').waitFor()
    })
  })

  describe('a record', () => {
    it('is saved as a whole, and only by those who have seen its last version', async () => {
      const { id } = await newUser()
      await at.open(`/user?id=${id}`)
      await at.page.getByRole('link', { name: `${id}`, exact: true }).click()
      await at.page.getByRole('heading', { name: 'Ada Byron' }).waitFor()
      await field('Phone').fill('555')
      await at.page.getByText('Not saved: Phone').waitFor()
      const [put] = await Promise.all([at.page.waitForRequest((one) => one.method() === 'PUT'), button('Save').click()])
      expect(Object.keys(put.postDataJSON())).toEqual([
        'firstName',
        'lastName',
        'email',
        'phone',
        'extension',
        'status',
        'department',
        'supervisor',
      ])
      expect((await put.allHeaders())['if-match']).toMatch(/^"/)
      await at.told('Ada Byron is saved.')
      expect((await ask('GET', `/user/${id}`)).phone).toBe('555')
      await at.isSound()
    })

    it('has a dropdown for each reference, and keeps the present one though it is hidden elsewhere', async () => {
      const old = (await ask('POST', '/department', { name: `Old ${name}` })) as { id: number }
      const { id } = await newUser({ department: old.id })
      await ask('PATCH', `/department/${old.id}`, { retired: true })
      await at.open(`/user/${id}`)
      await until(() => at.page.getByRole('combobox', { name: /Department/ }).inputValue()).toBe(`Old ${name}`)
      await at.page.getByRole('combobox', { name: /Supervisor/ }).fill('nowak')
      await at.page.getByRole('option', { name: 'Łukasz Nowak' }).click()
      await button('Save').click()
      await at.told('Ada Byron is saved.')
      expect(await ask('GET', `/user/${id}`)).toMatchObject({ department: old.id, supervisor: 1 })
    })

    it('shows what the service keeps, and lets nobody edit it', async () => {
      await at.open('/user/1')
      await at.page.getByText('Kept by the service').waitFor()
      const kept = at.page.locator('dl')
      expect(await kept.locator('dt').allInnerTexts()).toEqual(['ID', 'Created', 'Last updated'])
      expect(await at.page.getByRole('textbox', { name: 'Created' }).count()).toBe(0)
      const created = kept.locator('time').first()
      const { created: moment } = await ask('GET', '/user/1')
      expect(await created.textContent()).toBe(`${moment}`.replace(/T(\d\d:\d\d).*/, ' $1 UTC'))
      expect(await created.getAttribute('title')).toMatch(/; here \d{4}-\d\d-\d\d .* \(UTC[+-]\d\d:\d\d\)$/)
    })

    it('has problems at their fields', async () => {
      const { id } = await newUser()
      await at.open(`/user/${id}`)
      await field('Email').fill('no address')
      await button('Save').click()
      await at.page
        .getByText(/"no address"/)
        .first()
        .waitFor()
      expect(await field('Email').getAttribute('aria-invalid')).toBe('true')
      expect(await at.page.locator(':focus').getAttribute('name')).toBe('email')
      await at.isSound()
      await field('Email').fill('lukasz.nowak@example.com')
      await button('Save').click()
      await at.page
        .getByRole('alert')
        .getByText(/value-taken/)
        .waitFor()
      await at.page.getByRole('combobox', { name: /Status/ }).waitFor()
    })

    it('that someone else changed meanwhile leaves a clear choice', async () => {
      const { id } = await newUser()
      await at.open(`/user/${id}`)
      await field('Phone').fill('mine')
      await ask('PATCH', `/user/${id}`, { extension: 'theirs' })
      await button('Save').click()
      const dialog = at.page.getByRole('dialog', { name: 'Someone else changed this meanwhile' })
      await dialog.getByRole('cell', { name: 'theirs' }).waitFor()
      await at.isSound()
      await dialog.getByRole('button', { name: 'Save my changes onto it' }).click()
      await at.told('Ada Byron is saved.')
      expect(await ask('GET', `/user/${id}`)).toMatchObject({ phone: 'mine', extension: 'theirs' })

      await field('Phone').fill('mine again')
      await ask('PATCH', `/user/${id}`, { phone: 'theirs again' })
      await button('Save').click()
      await dialog.getByRole('button', { name: 'Take what is stored' }).click()
      await until(() => field('Phone').inputValue()).toBe('theirs again')
      await field('Phone').fill('mine at last')
      await ask('PATCH', `/user/${id}`, { extension: 'lost' })
      await button('Save').click()
      await dialog.getByRole('button', { name: 'Save my whole form over it' }).click()
      await until(() => ask('GET', `/user/${id}`)).toMatchObject({ phone: 'mine at last', extension: 'theirs' })
    })

    it('that is not saved is not left by mistake', async () => {
      await at.open('/user')
      await at.page.getByRole('link', { name: '2', exact: true }).click()
      await field('Phone').fill('1')
      await at.page.getByRole('link', { name: 'Department' }).click()
      const dialog = at.page.getByRole('dialog', { name: 'Leave without saving?' })
      await dialog.getByRole('button', { name: 'Stay' }).click()
      expect([at.address(), await field('Phone').inputValue()]).toEqual(['/user/2', '1'])
      await at.page.goBack()
      await at.isSound()
      await dialog.getByRole('button', { name: 'Leave' }).click()
      await at.page.getByText(/^1–10 of 2\d\d$/).waitFor()
    })

    it('is created with the defaults of the service, and its problems stand at their fields', async () => {
      await at.open('/user')
      await button('New user').click()
      await field('First name').fill('Grace')
      await field('Last name').fill('Hopper')
      await button('Create').click()
      await at.page.getByRole('alert').waitFor()
      expect(await field('Email').getAttribute('aria-invalid')).toBe('true')
      await at.isSound()
      const email = `grace-${crypto.randomUUID()}@example.com`
      await field('Email').fill(email)
      await at.page.getByRole('combobox', { name: /Department/ }).click()
      await at.page.getByRole('option', { name: 'Engineering' }).click()
      await button('Create').click()
      await at.told('Grace Hopper is created.')
      await at.page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
      const id = at.address().split('/').at(-1)
      expect(await ask('GET', `/user/${id}`)).toMatchObject({ email, status: 'ACTIVE', supervisor: null })
    })

    it.runIf(name === 'SQLite')('whose answer was lost is created once, however often one tries', async () => {
      await at.open('/department/~new')
      await field('Name').fill('Once')
      await at.page.route('**/department', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        await route.abort()
      })
      await button('Create').click()
      await at.page
        .getByRole('alert')
        .getByText(/does not answer/)
        .waitFor()
      await at.page.unroute('**/department')
      await button('Create').click()
      await at.told('Once is created.')
      const { results } = (await ask('GET', '/department?name=Once')) as unknown as { results: unknown[] }
      expect(results).toHaveLength(1)
    })

    it.runIf(name === 'SQLite')('is one of several: the next one begins with what they mostly share', async () => {
      await at.open('/user/~new')
      await until(() => at.page.locator(':focus').getAttribute('name')).toBe('firstName')
      const [first, second] = ['one', 'two'].map((one) => `${one}-${crypto.randomUUID()}@example.com`)
      await at.page.keyboard.type('Ada')
      await field('Last name').fill('One')
      await field('Email').fill(`${first}`)
      await at.page.getByRole('combobox', { name: /Department/ }).click()
      await at.page.getByRole('option', { name: 'Engineering' }).click()
      await at.page.getByRole('combobox', { name: /Status/ }).click()
      await at.page.getByRole('option', { name: 'Suspended' }).click()
      await button('Create and begin another').click()
      await at.told('Ada One is created. Here is the next one.')
      await until(() => field('Email').inputValue()).toBe('')
      expect(at.address()).toBe('/user/~new')
      expect(await at.page.locator(':focus').getAttribute('name')).toBe('firstName')
      await at.isSound()
      await at.page.keyboard.type('Ada')
      await field('Last name').fill('Two')
      // What was refused is fixed, and nothing is lost meanwhile.
      await button('Create and begin another').click()
      await until(() => field('Email').getAttribute('aria-invalid')).toBe('true')
      await field('Email').fill(`${second}`)
      await button('Create').click()
      await at.page.getByRole('heading', { name: 'Ada Two' }).waitFor()
      const { results } = (await ask('GET', `/user-detail?email=${first}&email=${second}`)) as unknown as {
        results: { department: string; status: string }[]
      }
      expect(results.map(({ department, status }) => [department, status])).toEqual([
        ['Engineering', 'SUSPENDED'],
        ['Engineering', 'SUSPENDED'],
      ])
    })

    it.runIf(name === 'SQLite')('is duplicated, but for what only one record may have', async () => {
      const { id } = await newUser({ phone: '42', department: 2 })
      await at.open(`/user/${id}`)
      await button('Duplicate').click()
      await until(() => field('Phone').inputValue()).toBe('42')
      expect(await field('Email').inputValue()).toBe('')
      const email = `copy-${crypto.randomUUID()}@example.com`
      await field('Email').fill(email)
      await button('Create').click()
      await at.told('Ada Byron is created.')
      const copy = at.address().split('/').at(-1)
      expect(copy).not.toBe(`${id}`)
      expect(await ask('GET', `/user/${copy}`)).toMatchObject({ email, phone: '42', department: 2, firstName: 'Ada' })
    })

    it('is shown before it is deleted, and can be created again under a new id', async () => {
      const { id, email } = await newUser({ phone: '42' })
      await at.open(`/user/${id}`)
      await button('Delete …').click()
      const dialog = at.page.getByRole('dialog', { name: 'Delete this user?' })
      await dialog.getByText(email).waitFor()
      await at.isSound()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await at.told('Ada Byron is deleted.')
      await until(() => at.address()).toBe('/user')
      await button('Create it again').click()
      await at.told(new RegExp(`Created again as user \\d+; it was ${id}\\. Not brought back: preference\\.`))
      await button('Open').click()
      await at.page.getByRole('heading', { name: 'Ada Byron' }).waitFor()
      const again = Number(at.address().split('/').at(-1))
      expect(again).not.toBe(id)
      expect(await ask('GET', `/user/${again}`)).toMatchObject({ email, phone: '42' })
    })

    it('that someone else changed meanwhile is shown anew before it is deleted', async () => {
      const { id } = await newUser()
      await at.open(`/user/${id}`)
      await button('Delete …').click()
      const dialog = at.page.getByRole('dialog', { name: 'Delete this user?' })
      await dialog.getByText('Ada', { exact: true }).waitFor()
      await ask('PATCH', `/user/${id}`, { firstName: 'Augusta' })
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await dialog
        .getByRole('alert')
        .getByText(/^Someone else has changed it meanwhile/)
        .waitFor()
      await dialog.getByText('Augusta', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await at.told('Augusta Byron is deleted.')
    })

    it('that others point at says why it stays', async () => {
      await at.open('/department')
      await button('Actions for department 1').click()
      await at.page.getByRole('menuitem', { name: 'Delete …' }).click()
      const dialog = at.page.getByRole('dialog', { name: 'Delete this department?' })
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('alert').waitFor()
      await dialog.getByRole('button', { name: 'Keep it' }).click()
      expect((await ask('GET', '/department/1')).id).toBe(1)
    })
  })

  describe('what stands below a record', () => {
    it('is a tab of it: the preferences of a user, an array', async () => {
      const { id } = await newUser()
      await at.open(`/user/${id}`)
      await at.page.getByRole('tab', { name: 'Preference' }).click()
      await at.page.getByText('There is no preference yet.').waitFor()
      await at.isSound()
      await button('New preference').click()
      await field('Type').fill('theme')
      await button('Create').click()
      await at.page.getByText('The preference has neither enabled nor value.').first().waitFor()
      await field('Value').fill('dark')
      await button('Create').click()
      await at.told('theme is created.')
      expect(at.address()).toMatch(new RegExp(`^/user/${id}/preference/\\d+$`))
      await field('Value').fill('light')
      await button('Save').click()
      await at.told('theme is saved.')
      await at.page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Preference' }).click()
      await until(() => at.column('Value')).toEqual(['light'])
    })

    it('is linked and unlinked: the actions of a role, those of its application first', async () => {
      await at.open('/v1/role/1/action')
      await at.page.getByRole('combobox', { name: 'Link an action' }).click()
      const options = at.page.getByRole('option')
      await options.first().waitFor()
      const offered = await options.allInnerTexts()
      const before = await at.column('Name')
      const chosen = offered.find((one) => !before.includes(one)) ?? ''
      await at.page.getByRole('option', { name: chosen, exact: true }).click()
      await button('Link').click()
      await at.told('The action is linked.')
      await until(() => at.column('Name')).toContain(chosen)
      await at.isSound()
      const row = at.page.getByRole('row').filter({ hasText: chosen })
      await row.getByRole('button').click()
      await at.page.getByRole('menuitem', { name: 'Unlink' }).click()
      await at.told('The action is unlinked.')
      await until(() => at.column('Name')).not.toContain(chosen)
    })

    it('that may not be linked says why', async () => {
      await at.open('/v1/role/1/action')
      await at.page.getByRole('checkbox', { name: /Only with the same/ }).uncheck()
      const foreign = (await ask('GET', '/v1/action?applicationRef=2')) as unknown as {
        results: { name: string; actionRef: number }[]
      }
      await at.page.getByRole('combobox', { name: 'Link an action' }).fill(`${foreign.results[0]?.name}`)
      await at.page.getByRole('option').first().click()
      await button('Link').click()
      await at.page.getByRole('alert').waitFor()
    })

    it('is reached at any depth, with the way to it: the roles of a user in an application', async () => {
      await at.open('/v1/application/1/user/1/role')
      const crumbs = at.page.getByRole('navigation', { name: 'Breadcrumbs' })
      await crumbs.getByRole('link', { name: 'Łukasz Nowak' }).waitFor()
      expect(await crumbs.getByRole('link').allInnerTexts()).toEqual([
        'directory',
        'Application',
        'Payroll',
        'User',
        'Łukasz Nowak',
        'Role',
      ])
      const before = await at.column('Name')
      await at.page.getByRole('combobox', { name: 'Link a role' }).click()
      const options = at.page.getByRole('option')
      await options.first().waitFor()
      const chosen = (await options.allInnerTexts()).find((one) => !before.includes(one)) ?? ''
      await at.page.getByRole('option', { name: chosen, exact: true }).click()
      await button('Link').click()
      await until(() => at.column('Name')).toContain(chosen)
      await at.isSound()
      await crumbs.getByRole('link', { name: 'Payroll' }).click()
      await at.page.getByRole('heading', { name: 'Payroll' }).waitFor()
    })

    it('is created and changed where the api writes: at the root, the parent filled in', async () => {
      await at.open('/v1/application/2/role')
      await button('New role').click()
      await until(() => at.page.getByRole('combobox', { name: /Application/ }).inputValue()).not.toBe('')
      await field('Name').fill('Auditor')
      await field('Description').fill('Looks at everything')
      const [post] = await Promise.all([
        at.page.waitForRequest((one) => one.method() === 'POST'),
        button('Create').click(),
      ])
      expect([new URL(post.url()).pathname, post.postDataJSON().applicationRef]).toEqual(['/v1/role', 2])
      await at.told('Auditor is created.')
      await field('Description').fill('Looks at all')
      const [put] = await Promise.all([at.page.waitForRequest((one) => one.method() === 'PUT'), button('Save').click()])
      expect(new URL(put.url()).pathname).toMatch(/^\/v1\/role\/\d+$/)
      await at.told('Auditor is saved.')
    })
  })

  describe.runIf(name === 'SQLite')('the request panel', () => {
    it('shows what was asked, as curl and as a call of the typed client', async () => {
      await at.open('/user?status=SUSPENDED')
      await at.page.getByRole('row').nth(1).waitFor()
      await button(/^Requests/).click()
      const panel = at.page.getByRole('dialog', { name: 'Requests' })
      await panel.getByText(`curl '${base}/user?status=SUSPENDED'`).waitFor()
      await at.isSound()
      await panel.getByRole('tab', { name: 'Typed client' }).click()
      await panel.getByText("await api.user.list({ status: 'SUSPENDED' })").waitFor()
      await panel.getByRole('tab', { name: 'Headers' }).click()
      await panel.getByRole('rowheader', { name: 'x-request-id' }).waitFor()
      await panel.getByText(/\d ms/).first().waitFor()
      await at.isSound()
    })
  })

  describe.runIf(name === 'SQLite')('files', () => {
    it('take a list out, with its filters', async () => {
      await at.open('/user?status=SUSPENDED')
      await button('Export and import').click()
      const [csv] = await Promise.all([
        at.page.waitForEvent('download'),
        at.page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
      ])
      const lines = await textOf(csv)
      const { pageInfo } = (await ask('GET', '/user?status=SUSPENDED')) as unknown as {
        pageInfo: { numberOfRecords: number }
      }
      expect(lines[0]).toBe('id,firstName,lastName,email')
      expect(lines).toHaveLength(pageInfo.numberOfRecords + 1)

      await button('Export and import').click()
      const [sheet] = await Promise.all([
        at.page.waitForEvent('download'),
        at.page.getByRole('menuitem', { name: 'Export for spreadsheets' }).click(),
      ])
      expect(sheet.suggestedFilename()).toBe('user.csv')
      expect((await textOf(sheet))[0]).toBe("'id,firstName,lastName,email")
    })

    it('bring records in, and say which lines were refused', async () => {
      const csv = ['name,retired', `Import ${name},false`, ',maybe', `Import 2 ${name},true`].join('\n')
      await at.open('/department?retired=true&retired=false&pageSize=50')
      await button('Export and import').click()
      await at.page.getByRole('menuitem', { name: 'Import a file …' }).click()
      await at.page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'd.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
      const dialog = at.page.getByRole('dialog', { name: 'Import into Department' })
      await dialog.getByText('d.csv: 3 rows').waitFor()
      await at.isSound()
      await dialog.getByRole('button', { name: 'Import' }).click()
      await dialog.getByText('2 created, 1 refused.').waitFor()
      await dialog.getByRole('cell', { name: '3', exact: true }).waitFor()
      await at.isSound()
      const [refused] = await Promise.all([
        at.page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download the refused rows' }).click(),
      ])
      expect(refused.suggestedFilename()).toBe('d-refused.csv')
      expect(await textOf(refused)).toEqual(["'_line,_reason,retired", expect.stringMatching(/^3,.*,maybe$/)])
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await at.page.getByRole('cell', { name: `Import 2 ${name}` }).waitFor()
    })

    it('of JSON are dropped onto the dialog, and refused rows come back as such', async () => {
      await at.open('/department?pageSize=50')
      await button('Export and import').click()
      await at.page.getByRole('menuitem', { name: 'Import a file …' }).click()
      const dialog = at.page.getByRole('dialog', { name: 'Import into Department' })
      const drop = async (...files: readonly { readonly name: string; readonly text: string }[]) => {
        const given = JSON.stringify(files)
        const dataTransfer = await at.page.evaluateHandle(`{
          const dropped = new DataTransfer()
          for (const { name, text } of ${given}) dropped.items.add(new File([text], name))
          dropped
        }`)
        await dialog.dispatchEvent('drop', { dataTransfer })
      }
      await drop({ name: 'sheet.xlsx', text: 'PK' })
      await dialog.getByText('sheet.xlsx cannot be imported: choose a file of CSV, NDJSON or JSON.').waitFor()
      await drop({ name: 'a.json', text: '[]' }, { name: 'b.json', text: '[]' })
      await dialog.getByText('These are 2 files: import one after the other.').waitFor()
      await at.isSound()
      await drop({ name: 'd.json', text: '[{"name": "Dropped 1"}, {"retired": 5}, {"name": "Dropped 2"}]' })
      await dialog.getByText('d.json: 3 rows').waitFor()
      await dialog.getByRole('button', { name: 'Import' }).click()
      await dialog.getByText('2 created, 1 refused.').waitFor()
      const [refused] = await Promise.all([
        at.page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download the refused rows' }).click(),
      ])
      expect(refused.suggestedFilename()).toBe('d-refused.json')
      expect(JSON.parse((await textOf(refused)).join('\n'))).toEqual([
        { _number: 2, _reason: expect.any(String), retired: 5 },
      ])
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await until(() => at.column('Name')).toEqual(expect.arrayContaining(['Dropped 1', 'Dropped 2']))
    })

    it('go on where they were stopped, and create nothing twice', async () => {
      const names = Array.from({ length: 12 }, (_, index) => `Again ${index}`)
      const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(['name', ...names].join('\n')) }
      const dialog = at.page.getByRole('dialog', { name: 'Import into Department' })
      const choose = async () => {
        await at.open('/department')
        await button('Export and import').click()
        await at.page.getByRole('menuitem', { name: 'Import a file …' }).click()
        await at.page.locator('input[type="file"]').setInputFiles(file)
        await dialog.getByText('a.csv: 12 rows').waitFor()
      }
      // Everything is done, and the answers are held back: whoever stops now cannot know what became of it.
      const held: (() => Promise<void>)[] = []
      await at.page.route('**/department', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        const response = await route.fetch()
        held.push(() => route.fulfill({ response }))
      })
      await choose()
      await dialog.getByRole('button', { name: 'Import' }).click()
      await until(() => held.length).toBe(6)
      await dialog.getByRole('button', { name: 'Stop' }).click()
      await Promise.all(held.slice(0, 3).map((answer) => answer()))
      await at.page.unroute('**/department')
      // The page goes, with half of the answers.
      await choose()
      await dialog.getByText('This file was begun before and not finished.').waitFor()
      await at.isSound()
      await dialog.getByRole('button', { name: 'Import' }).click()
      await dialog.getByText('12 created.').waitFor()
      const { results } = (await ask('GET', '/department?pageSize=1000')) as unknown as {
        results: { name: string }[]
      }
      expect(
        results
          .map((one) => one.name)
          .filter((one) => one.startsWith('Again '))
          .toSorted(),
      ).toEqual(names.toSorted())
      // A file that is done is another import the next time.
      await choose()
      expect(await dialog.getByText('This file was begun before').count()).toBe(0)
    })
  })

  // What is drawn is the same on every database.
  it.runIf(name === 'SQLite').each([
    { title: 'in the dark', scheme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
    {
      title: 'on a phone',
      width: 390,
      rules: ['color-contrast', 'target-size', 'scrollable-region-focusable', 'meta-viewport'],
    },
  ] as const)('is sound $title', async ({ title: _, rules, ...options }) => {
    const other = await visit(browser, `${base}/console/`, options)
    for (const address of ['/user-detail', '/user/1', '/v1/application/1/user/1/role', '/user/~new', '/~usage']) {
      await other.open(address)
      await other.page.getByRole('main').getByRole('heading').first().waitFor()
      await other.page.waitForLoadState('networkidle')
      await other.isSound(rules)
      const isTooWide = await other.page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect(isTooWide, `${address} at ${other.page.viewportSize()?.width}`).toBe(false)
    }
    await other.close()
  })
})

async function textOf(download: { createReadStream(): Promise<NodeJS.ReadableStream> }): Promise<readonly string[]> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return `${Buffer.concat(chunks)}`.trim().split(/\r?\n/)
}
