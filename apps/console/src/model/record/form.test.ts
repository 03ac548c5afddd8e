// Forms: their fields, what they begin with, the bodies that become of them, and problems at their places.
import access from '@nomen/directory/openapi/access.json' with { type: 'json' }
import directory from '@nomen/directory/openapi/directory.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { libraryDocument } from '../../../test/library-document.ts'
import { placed, problemFrom } from '../service/problem.ts'
import { type Collection, serviceOf } from '../service/service.ts'
import { formOf } from './form.ts'
import { labelOf } from './label.ts'
import { linkChoices } from './link-choices.ts'
import { quickChanges } from './quick-change.ts'
import { changedNames, initialValues, newBody, wholeBody } from './values.ts'

const service = serviceOf('directory', [
  { document: directory, base: '' },
  { document: access, base: '' },
])
const library = serviceOf('library', [{ document: libraryDocument, base: '' }])
const at = (path: string): Collection =>
  [...service.collections, ...library.collections].find((one) => one.path === path) as Collection
const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)

describe('the form of a record', () => {
  it('has what may be changed in the order of the record, and apart from it what the service keeps', () => {
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

  it('is there to look at where nothing can be changed', () => {
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

  it('begins with defaults, and leaves to the service what nobody touched', () => {
    const { fields } = formOf(at('/user'), 'create')
    const begun = initialValues(fields, { department: 3 })
    expect(begun).toMatchObject({ firstName: '', status: 'ACTIVE', department: 3, supervisor: null })
    const body = newBody(fields, { ...begun, firstName: 'Ada', email: 'ada@example.com' })
    expect(body).toEqual({ firstName: 'Ada', lastName: '', email: 'ada@example.com', department: 3 })
  })

  it('knows what was changed', () => {
    const { fields } = formOf(at('/department'), 'change')
    expect(changedNames(fields, { name: 'A', retired: true }, { name: 'A', retired: false })).toEqual(['retired'])
  })
})

it('offers the states that may follow, and flags, as quick changes', () => {
  const told = quickChanges(at('/user')).map(({ field, next, title }) => [field.name, next('ACTIVE').map(title)])
  expect(told).toEqual([['status', ['Suspended']]])
  expect(quickChanges(at('/department')).map(({ field, next }) => [field.name, next(true)])).toEqual([
    ['retired', [false]],
  ])
  expect(quickChanges(at('/v1/role'))).toEqual([])
})

describe('the name of a record', () => {
  it('is what a list shows of it elsewhere, else what its fields are called', () => {
    expect(labelOf(service, at('/user'), { id: 1, firstName: 'Ada', lastName: 'Byron' })).toBe('Ada Byron')
    expect(labelOf(service, at('/department'), { id: 1, name: 'Sales' })).toBe('Sales')
    expect(labelOf(library, at('/tag'), { tagId: 4, label: 'old' })).toBe('old')
    expect(labelOf(library, at('/tag'), { tagId: 4, label: '' })).toBe('Tag 4')
  })
})

describe('what may be linked', () => {
  it('comes from the nearest list above', () => {
    const list = at('/v1/application/{applicationRef}/user/{userRef}/role')
    const choices = linkChoices(service, list, ['1', '5'], undefined)
    expect([choices?.target.path, choices?.ids]).toEqual(['/v1/application/{applicationRef}/role', ['1']])
  })

  it('is narrowed to what points at the same records', () => {
    const choices = linkChoices(service, at('/v1/role/{roleRef}/action'), ['3'], { roleRef: 3, applicationRef: 2 })
    expect([choices?.target.path, choices?.shared]).toEqual(['/v1/action', { applicationRef: '2' }])
  })
})

describe('a problem', () => {
  it('stands at its fields; what has none is told apart', () => {
    const errors = [
      { pointer: '/email', detail: 'No address.' },
      { pointer: '/email', detail: 'Too long.' },
      { pointer: '/other', detail: 'Unknown.' },
      { detail: 'All of it.' },
    ]
    const problem = problemFrom(400, 'Bad Request', { title: 'Bad', detail: 'So', errors }, { 'x-request-id': 'r1' })
    expect(placed(problem, ['email'])).toEqual({
      atField: { email: 'No address. Too long.' },
      others: ['Unknown.', 'All of it.'],
    })
  })

  it('is told as far as the answer says anything', () => {
    expect(problemFrom(502, 'Bad Gateway', '<html>')).toMatchObject({
      status: 502,
      title: 'Bad Gateway',
      detail: 'The service answered 502 Bad Gateway',
    })
    expect(problemFrom(400, '', { message: 'No.' })).toMatchObject({ title: 'Status 400', detail: 'No.' })
  })
})
