// Forms: their fields, what they begin with, the bodies that become of them, and problems at their places.

import { api, choice, createdAt, date, identity, integer, noun, reference, resource, text } from '@nomen/core'
import { openapi, readShape } from '@nomen/core/openapi'
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { libraryDocument } from '../../../test/library-document.ts'
import type { Json } from '../service/openapi.ts'
import { errorText, problemFrom, withLocation } from '../service/problem.ts'
import { type Collection, serviceOf } from '../service/service.ts'
import { bulkFields } from './bulk-field.ts'
import { faultsIn } from './fault.ts'
import { type Field, fieldOf, isMandatory } from './field.ts'
import { formOf, visibleForm } from './form.ts'
import { labelOf } from './label.ts'
import { linkChoices } from './link-choices.ts'
import { quickChanges } from './quick-change.ts'
import { changedBody, changedNames, copiedValues, initialValues, newBody, wholeBody } from './values.ts'

const service = serviceOf('directory', [
  { document: directory, base: '' },
  { document: access, base: '' },
])
const library = serviceOf('library', [{ document: libraryDocument, base: '' }])
const at = (path: string): Collection =>
  [...service.collections, ...library.collections].find((collection) => collection.path === path) as Collection
const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)

it('calls a boolean by what is true', () => {
  const titles = ['isActive', 'is_open', 'island', 'is'].map(
    (name) => fieldOf(name, readShape({ type: 'boolean' })).title,
  )
  expect(titles).toEqual(['Active', 'Open', 'Island', 'Is'])
  expect(fieldOf('isActive', readShape({ type: 'string' })).title).toBe('Is active')
})

it('recognizes colors by their format or pattern', () => {
  const kindOf = (raw: object) => fieldOf('tint', readShape({ type: 'string', ...raw })).kind
  expect([{ format: 'color' }, { pattern: '^#[0-9a-f]{6}$' }, { pattern: '^[A-Z]$' }].map(kindOf)).toEqual([
    'color',
    'color',
    'text',
  ])
})

describe('the form of a record', () => {
  it('has the editable fields in the order of the record, and the managed fields separately', () => {
    const { fields, managed, operation } = formOf(at('/user'), 'change')
    expect(operation?.method).toBe('PUT')
    expect(names(fields)).toEqual([
      'firstName',
      'lastName',
      'email',
      'phone',
      'extension',
      'status',
      'department',
      'supervisor',
    ])
    expect(names(managed)).toEqual(['id', 'created', 'lastUpdated'])
  })

  it('is read-only if nothing can be changed', () => {
    const { fields, managed, operation } = formOf(
      at('/v1/application/{applicationRef}/user/{userRef}/action'),
      'change',
    )
    expect([fields, names(managed), operation]).toEqual([
      [],
      ['actionRef', 'applicationRef', 'name', 'description'],
      undefined,
    ])
  })

  it('sends all of it, each value as its field has it', () => {
    const { fields } = formOf(at('/book'), 'change')
    const values = { title: 'Dune', genre: 'NOVEL', pages: '412', published: '', lent: true, blurb: '', subtitle: null }
    expect(wholeBody(fields, values)).toEqual({ ...values, pages: 412, published: null })
    expect(wholeBody(fields, { ...values, pages: 'many' }).pages).toBe('many')
  })

  it('starts with defaults, and does not send unchanged fields', () => {
    const { fields } = formOf(at('/user'), 'create')
    const begun = initialValues(fields, { department: 3 })
    expect(begun).toMatchObject({ firstName: '', status: 'ACTIVE', department: 3, supervisor: null })
    const body = newBody(fields, { ...begun, firstName: 'Ada', email: 'ada@example.com' })
    expect(body).toEqual({ firstName: 'Ada', lastName: '', email: 'ada@example.com', department: 3 })
  })

  it('keeps unchanged values as they were loaded', () => {
    const { fields } = formOf(at('/book'), 'change')
    const time = fieldOf('lentAt', readShape({ type: 'string', format: 'date-time' }))
    const loaded = { title: 'Dune', pages: 412, published: '', lentAt: '2026-01-01T08:00:00Z' }
    const body = changedBody([...fields, time], { ...loaded, pages: '413' }, loaded)
    // The time would get another text, and a record with the same time would look changed.
    expect(body).toMatchObject({ ...loaded, pages: 413 })
    expect(changedBody([time], { lentAt: '2026-01-01T09:00' }, loaded)).toEqual({ lentAt: '2026-01-01T09:00:00.000Z' })
  })

  it('cannot remove a required value by PATCH, for one record or for several', () => {
    const task = noun('task', { id: identity(), due: date(), level: integer().default(1), done: date().nullable() })
    const plan = api('plan', {
      versioning: 'per-noun',
      writes: 'flat',
      resources: [resource(task, { offers: ['list', 'read', 'update'] })],
    })
    const [tasks] = serviceOf('plan', [{ document: JSON.parse(JSON.stringify(openapi(plan))), base: '' }]).collections
    if (!tasks) throw new Error('There are tasks.')
    const { fields, operation } = formOf(tasks, 'change')
    expect(operation?.method).toBe('PATCH')
    const empty = { due: '', level: '', done: '' }
    const faults = { due: 'Due is required.', level: 'Level is required.' }
    expect(faultsIn(fields, empty)).toEqual(faults)
    expect(faultsIn(bulkFields(tasks), empty)).toEqual(faults)
  })

  it('copies an empty value, even if the field has a default', () => {
    const color = fieldOf('color', readShape({ type: ['string', 'null'], default: 'red' }))
    const copied = initialValues([color], copiedValues([color], { color: null }, 'id'))
    expect([copied, newBody([color], copied)]).toEqual([{ color: null }, { color: null }])
    expect(initialValues([color], {})).toEqual({ color: 'red' })
  })

  it('starts without a required choice, unless there is only one', () => {
    const choiceOf = (...values: readonly string[]) =>
      fieldOf('kind', readShape({ type: 'string', enum: values }), true)
    expect(initialValues([choiceOf('TOY', 'BOOK')])).toEqual({ kind: '' })
    expect(initialValues([choiceOf('TOY')])).toEqual({ kind: 'TOY' })
  })

  it('knows the changed fields', () => {
    const { fields } = formOf(at('/department'), 'change')
    expect(changedNames(fields, { name: 'A', retired: true }, { name: 'A', retired: false })).toEqual(['retired'])
  })
})

it('finds texts that the service would refuse, before they are sent', () => {
  const schema = (raw: object) => readShape({ type: 'string', ...raw })
  const fields = [
    fieldOf('code', schema({ pattern: '^[A-Z]{2}$' })),
    fieldOf('other', schema({ pattern: '(?=a)' })),
    fieldOf('title', schema({ minLength: 2, maxLength: 3 })),
    fieldOf('empty', schema({ pattern: '^a$', minLength: 1 })),
  ]
  const values = { code: 'at', other: 'b', title: 'long', empty: '' }
  expect(faultsIn(fields, values)).toEqual({
    code: 'Must match the pattern ^[A-Z]{2}$.',
    title: 'Must have at most 3 characters, not 4.',
  })
  expect(faultsIn(fields, { ...values, code: 'AT', title: 'abc' })).toEqual({})
})

it('finds numbers, dates and times outside of their limits, before they are sent', () => {
  const limits = (type: string, minimum: unknown, maximum: unknown, format?: string) =>
    readShape({ type, format, 'x-nomen-minimum': minimum, 'x-nomen-maximum': maximum })
  const fields = [
    fieldOf('level', readShape({ type: 'integer', minimum: 1, maximum: 7 })),
    fieldOf('salary', limits('string', '1000.00', '5000.50')),
    fieldOf('start', limits('string', '2020-01-01', '2030-12-31', 'date')),
    fieldOf('due', limits('string', '2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z', 'date-time')),
  ]
  const inside = { level: '7', salary: '5000.50', start: '2020-01-01', due: '2029-12-31T23:59:59.999Z' }
  expect(faultsIn(fields, inside)).toEqual({})
  expect(faultsIn(fields, { level: null, salary: 'x', start: null, due: '' })).toEqual({})
  expect(faultsIn(fields, { level: '0', salary: '999.99', start: '2019-12-31', due: '2019-12-31T23:59' })).toEqual({
    level: 'Must be at least 1.',
    salary: 'Must be at least 1000.00.',
    start: 'Must not be before Jan 1, 2020.',
    due: expect.stringMatching(/^Must not be before Jan 1, 2020/),
  })
  expect(faultsIn(fields, { level: 8, salary: '5000.51', start: '2031-01-01', due: '2030-01-02T00:00Z' })).toEqual({
    level: 'Must be at most 7.',
    salary: 'Must be at most 5000.50.',
    start: 'Must not be after Dec 31, 2030.',
    due: expect.stringMatching(/^Must not be after Jan 1, 2030/),
  })
})

it('finds missing values and wrong formats, before they are sent', () => {
  const field = (name: string, schema: object) => fieldOf(name, readShape(schema), true)
  const fields = [
    field('price', { type: 'string', format: 'decimal', pattern: '^-?\\d{1,4}(\\.\\d{1,2})?$' }),
    field('email', { type: 'string', format: 'email' }),
    field('site', { type: 'string', format: 'uri' }),
    field('level', { type: 'integer' }),
    field('note', { type: 'string' }),
    field('title', { type: 'string', minLength: 1 }),
    fieldOf('data', readShape({ type: 'object' })),
  ]
  expect(fields.filter(isMandatory).map(({ name }) => name)).toEqual(['price', 'email', 'site', 'level', 'title'])
  // A pattern can forbid an empty text. JavaScript does not know each of them.
  const patterns = ['^[A-Z]{2}$', '^[A-Z]*$', '(?i)x']
  expect(patterns.map((pattern) => isMandatory(field('code', { type: 'string', pattern })))).toEqual([
    true,
    false,
    false,
  ])
  expect(faultsIn(fields, { price: '', email: '', site: '', level: '', note: '', title: '' })).toEqual({
    price: 'Price is required.',
    email: 'Email is required.',
    site: 'Site is required.',
    level: 'Level is required.',
    title: 'Title is required.',
  })
  expect(
    faultsIn(fields, { price: '12,5', email: 'ada', site: 'x', level: '1.5', note: '', title: 'T', data: '{a: 1}' }),
  ).toEqual({
    price: 'Enter a decimal number such as 12.50.',
    email: 'Enter an e-mail address such as ada@example.com.',
    site: 'Enter a URL such as https://example.com.',
    level: 'Enter a whole number.',
    data: 'Enter valid JSON: an object such as {"a": 1}, or an array such as [1, 2].',
  })
  const right = { price: '12.50', email: 'a@b', site: 'https://a.example', level: '1', note: '', title: 'T' }
  for (const data of ['', '{"a": 1}', '[1]', { a: 1 }]) expect(faultsIn(fields, { ...right, data })).toEqual({})
})

it('leaves unchanged values of a stored record to the service', () => {
  const state = fieldOf('state', readShape({ type: 'string', enum: ['NEW', 'DONE'] }), true)
  const stored = { state: 'ARCHIVED' }
  expect(faultsIn([state], stored, stored)).toEqual({})
  expect(faultsIn([state], { state: 'LOST' }, stored)).toEqual({ state: expect.stringContaining('NEW') })
  expect(faultsIn([state], { state: '' }, {})).toEqual({ state: 'State is required.' })
})

it('leaves out fields with a scope that the loaded record does not have', () => {
  const form = formOf(at('/user'), 'change')
  const [first, ...others] = form.fields
  const scoped = { ...form, fields: [{ ...(first as Field), scope: 'salary:read' }, ...others] }
  expect(visibleForm(scoped, {}).fields).toEqual(others)
  expect(visibleForm(scoped, { [`${first?.name}`]: null }).fields).toEqual(scoped.fields)
})

it('offers the states that may follow, and flags, as quick changes', () => {
  const offered = quickChanges(at('/user')).map(({ field, next, title }) => [field.name, next('ACTIVE').map(title)])
  expect(offered).toEqual([['status', ['Suspended']]])
  expect(quickChanges(at('/department')).map(({ field, next }) => [field.name, next(true)])).toEqual([
    ['retired', [false]],
  ])
  expect(quickChanges(at('/v1/role'))).toEqual([])
})

describe('the name of a record', () => {
  it('is the label of a list elsewhere, or else a field with a usual name', () => {
    expect(labelOf(service, at('/user'), { id: 1, firstName: 'Ada', lastName: 'Byron' })).toBe('Ada Byron')
    expect(labelOf(service, at('/department'), { id: 1, name: 'Sales' })).toBe('Sales')
    expect(labelOf(library, at('/tag'), { tagId: 4, label: 'old' })).toBe('old')
    expect(labelOf(library, at('/tag'), { tagId: 4, label: '' })).toBe('Tag 4')
  })

  describe('without a name', () => {
    const book = noun('book', { id: identity(), name: text() }, { label: 'name' })
    const shelf = noun('shelf', { id: identity(), room: integer(), built: date() }, { label: ['room', 'built'] })
    const loan = noun('loan', {
      id: identity(),
      created: createdAt(),
      due: date(),
      status: choice('OPEN', 'RETURNED'),
      shelf: text().nullable(),
      book: reference(() => book).nullable(),
    })
    const count = noun('count', { id: identity(), value: integer() })
    const lending = api('lending', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(book), resource(shelf), resource(loan), resource(count)],
    })
    const document = JSON.parse(JSON.stringify(openapi(lending)))
    const desk = serviceOf('desk', [{ document, base: '' }])
    const label = (path: string, record: object) =>
      labelOf(desk, desk.collections.find((collection) => collection.path === path) as Collection, record as Json)

    it('is the noun, the ID, and two references or dates', () => {
      expect(label('/loan', { id: 1, shelf: 'C07', book: 7, due: '2026-12-01', status: 'OPEN' })).toBe(
        'Loan 1 (Book 7, Dec 1, 2026)',
      )
      expect(label('/loan', { id: 1, book: 'Dune', due: '2026-12-01', status: 'OPEN' })).toBe(
        'Loan 1 (Dune, Dec 1, 2026)',
      )
      expect(label('/loan', { id: 1, book: null, due: '2026-12-01', status: 'OPEN' })).toBe(
        'Loan 1 (Dec 1, 2026, Open)',
      )
      expect(label('/count', { id: 1, value: 3 })).toBe('Count 1')
    })

    it('is the declared label, whether or not a list shows it', () => {
      expect(label('/shelf', { id: 1, room: 4, built: '2020-01-01' })).toBe('4 Jan 1, 2020')
    })
  })
})

describe('the records that can be linked', () => {
  it('comes from the nearest list above', () => {
    const list = at('/v1/application/{applicationRef}/user/{userRef}/role')
    const choices = linkChoices(service, list, ['1', '5'], undefined)
    expect([choices?.target.path, choices?.ids]).toEqual(['/v1/application/{applicationRef}/role', ['1']])
  })

  it('is limited to records with the same references', () => {
    const choices = linkChoices(service, at('/v1/role/{roleRef}/action'), ['3'], { roleRef: 3, applicationRef: 2 })
    expect([choices?.target.path, choices?.shared]).toEqual(['/v1/action', { applicationRef: '2' }])
  })
})

describe('a problem', () => {
  it('is split into errors at fields and other errors', () => {
    const errors = [
      { pointer: '/email', detail: 'No address.' },
      { pointer: '/email', detail: 'Too long.' },
      { pointer: '/other', detail: 'Unknown.' },
      { detail: 'All of it.' },
    ]
    const problem = problemFrom(400, 'Bad Request', { title: 'Bad', detail: 'So', errors }, { 'x-request-id': 'r1' })
    expect(withLocation(problem, [{ name: 'email', title: 'Email' }])).toEqual({
      atField: { email: 'No address. Too long.' },
      others: ['Unknown.', 'All of it.'],
    })
  })

  it('appears at fields as sentences, and in one line for a row of a file', () => {
    const errors = [
      { pointer: '/email', detail: 'must be an e-mail address, not "x"' },
      { pointer: '/lastName', detail: 'is missing' },
      { pointer: '/phone', detail: 'Another user has phone "1".' },
      { pointer: '/stauts', detail: 'is not a property here' },
    ]
    const problem = problemFrom(400, '', {
      detail: '"/email" must be an e-mail address. There are 3 more errors.',
      errors,
    })
    const fields = ['email', 'lastName', 'phone'].map((name) => fieldOf(name))
    expect(withLocation(problem, fields)).toEqual({
      atField: {
        email: 'Email must be an e-mail address, not "x".',
        lastName: 'Last name is required.',
        phone: 'Another user has phone "1".',
      },
      others: ['is not a property here'],
    })
    expect(errorText(problem, fields)).toBe(
      'Email must be an e-mail address, not "x". Last name is required. Phone: Another user has phone "1". /stauts is not a property here',
    )
  })

  it('is read from a response that is not a problem document', () => {
    expect(problemFrom(502, 'Bad Gateway', '<html>')).toMatchObject({
      status: 502,
      title: 'Bad Gateway',
      detail: 'The service responded with 502 Bad Gateway',
    })
    expect(problemFrom(400, '', { message: 'No.' })).toMatchObject({ title: 'Status 400', detail: 'No.' })
    expect(problemFrom(400, '', { errors: ['No title.', null, { detail: {} }] }).errors).toEqual([
      { detail: 'No title.' },
      { detail: 'Status 400' },
    ])
    const foreign = problemFrom(400, '', { errors: [{ pointer: ['email'], parameter: 7, message: 'Wrong.' }] })
    expect(withLocation(foreign, [{ name: 'email', title: 'Email' }])).toEqual({ atField: {}, others: ['Wrong.'] })
  })

  it.each([
    ['a plain text', ' The shelf is locked.\n', 'The shelf is locked.'],
    ['a long text', 'x'.repeat(1000), `${'x'.repeat(300)}…`],
    ['an error with a text', { error: 'No.' }, 'No.'],
    ['an error with a message', { error: { code: 7, message: 'No.' } }, 'No.'],
    [
      'a page',
      '<!doctype html><title>502</title><style>p{}</style><h1>Bad&nbsp;gateway</h1>\n<p>a &lt; b',
      'Bad gateway · a < b',
    ],
    [
      'a page without a text',
      '<html><head><title>502</title></head><body></body></html>',
      'The service responded with 500',
    ],
    ['another value', [1], 'The service responded with 500'],
  ])('has the message of %s', (_, body, detail) => {
    expect(problemFrom(500, '', body)).toMatchObject({ status: 500, title: 'Status 500', detail })
  })
})
