import { describe, expect, it } from 'vitest'
import {
  api,
  boolean,
  choice,
  createdAt,
  custom,
  email,
  equal,
  identity,
  integer,
  isSettable,
  isStored,
  noun,
  operations,
  range,
  reference,
  resource,
  specOf,
  text,
} from '../index.ts'
import type { Fields } from './noun-option.ts'

const fields = { id: identity(), firstName: text(), lastName: text() }
const person = noun('person', fields, { computed: { fullName: text({ maxLength: 80 }), age: integer().nullable() } })
const team = noun('team', { id: identity() })

describe('a computed field', () => {
  it('is not a stored field, and its spec is managed', () => {
    expect(Object.keys(person.fields)).toEqual(Object.keys(fields))
    const spec = specOf(person, 'fullName')
    expect(spec).toEqual({ kind: 'text', maxLength: 80, managed: 'computed' })
    expect([isSettable(spec), isStored(spec), isStored(createdAt().spec)]).toEqual([false, false, true])
  })

  it('comes after the fields by default, and cannot be written, filtered or sorted by', () => {
    const people = api('people', { versioning: 'per-noun', writes: 'nested', resources: [resource(person)] })
    const [list, , create] = operations(people)
    expect(list?.shape.properties.map(({ name }) => name)).toEqual([...Object.keys(fields), 'fullName', 'age'])
    const parameterNames = list?.list?.parameters.map((parameter) =>
      parameter.kind === 'sort' ? [...parameter.fields.keys()] : parameter.name,
    )
    expect(parameterNames).toEqual(['pageNumber', 'pageSize', Object.keys(fields), 'include', ...Object.keys(fields)])
    expect(create?.body?.properties.map(({ name }) => name)).toEqual(['firstName', 'lastName'])
    expect(create?.body?.ignored).toEqual(['fullName', 'age'])
  })

  it('can be renamed, and is only in shapes that list it', () => {
    const renamed = resource(person, { rename: { name: 'fullName' }, complete: ['id', 'name'], list: ['id'] })
    const people = api('people', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [{ ...renamed, options: { ...renamed.options, offers: ['list', 'read'] } }],
    })
    expect(
      operations(people).map(({ shape }) => shape.properties.map(({ name, field }) => `${name}=${field}`)),
    ).toEqual([['id=id'], ['id=id', 'name=fullName']])
  })

  it.each<[string, string, Fields[string], string]>([
    [
      'has the name of a stored field',
      'lastName',
      text(),
      'computed field "lastName": has the name of a stored field.',
    ],
    ['is unique', 'fullName', text().unique(), 'noun "person", computed field "fullName": "unique" is not allowed'],
    ['has a default', 'fullName', text().default(''), '"default" is not allowed'],
    ['has a default and may be null', 'fullName', text().nullable().default(''), '"default" is not allowed'],
    ['takes a default', 'fullName', text().defaultFrom('lastName'), '"defaultFrom" is not allowed'],
    ['is managed', 'since', createdAt(), '"managed" is not allowed'],
    ['has an index', 'fullName', text().indexed(), '"indexed" is not allowed'],
    ['had another name', 'fullName', text().renamedFrom('name'), '"renamedFrom" is not allowed'],
    ['has transitions', 'stage', choice({ A: ['B'], B: [] }), '"transitions" is not allowed'],
    ['is an identity', 'key', identity(), 'cannot be of the type identity'],
    ['is a reference', 'team', reference(() => team), 'cannot be of the type reference'],
    ['is not a field', 'fullName', {} as Fields[string], 'must be a field, not {}'],
    ['has limits that contradict', 'age', integer({ min: 2, max: 1 }), 'min 2 is greater than max 1'],
    ['is not in camelCase', 'FullName', text(), 'the property name "FullName" must be in camelCase'],
  ])('is rejected if it %s', (_, name, field, message) => {
    expect(() => noun('person', fields, { computed: { [name]: field } })).toThrow(message)
  })

  it('is rejected in options that need stored fields', () => {
    const message = (option: string) => `resource "person": ${option} uses "fullName", which is computed`
    // @ts-expect-error: the field is computed
    expect(() => resource(person, { search: ['fullName'] })).toThrow(message('search'))
    // @ts-expect-error: the field is computed
    expect(() => resource(person, { by: ['fullName'] })).toThrow(message('by'))
    // @ts-expect-error: the field is computed
    expect(() => resource(person, { display: ['fullName'] })).toThrow(message('display'))
    // @ts-expect-error: the field is computed
    expect(() => resource(person, { defaultFilter: { fullName: 'x' } })).toThrow(message('defaultFilter'))
    // @ts-expect-error: the field is computed
    expect(() => resource(person, { filters: { called: equal('fullName') } })).toThrow(message('the filter "called"'))
    // @ts-expect-error: the field is computed
    expect(() => resource(person, { filters: { aged: range('age') } })).toThrow('the filter "aged" uses "age"')
    // @ts-expect-error: the field is computed
    expect(() => noun('person', fields, { label: 'fullName', computed: { fullName: text() } })).toThrow('"fullName"')
    // @ts-expect-error: the field is computed
    expect(() => noun('person', fields, { unique: [['mail']], computed: { mail: email() } })).toThrow('"mail"')
    expect(() =>
      noun('person', { ...fields, nick: text().defaultFrom('fullName') }, { computed: { fullName: text() } }),
    ).toThrow('defaultFrom() refers to the field "fullName", which does not exist')
  })

  it('is rejected under the name of another property of the resource', () => {
    expect(() => resource(person, { rename: { fullName: 'lastName' } })).toThrow(
      'two fields have the property name "fullName"',
    )
    // @ts-expect-error: the field does not exist
    expect(() => resource(person, { rename: { name: 'fulName' } })).toThrow('did you mean "fullName"?')
  })

  it('may share its name only with a custom filter', () => {
    expect(() => resource(person, { filters: { fullName: equal('lastName') } })).toThrow(
      'the filter "fullName" has the query parameter "fullName", which is a property',
    )
    expect(() => resource(person, { filters: { lastName: custom(text()) } })).toThrow(
      'the filter "lastName" has the query parameter "lastName", which is a property',
    )
    const { options } = resource(person, { filters: { fullName: custom(text()) } })
    expect(Object.keys(options.filters)).toEqual(['fullName'])
    expect(() =>
      resource(noun('person', { ...fields, old: boolean() }), { filters: { aged: equal('old') } }),
    ).not.toThrow()
  })
})
