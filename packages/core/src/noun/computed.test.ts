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
  isMutable,
  isStored,
  noun,
  operations,
  range,
  reference,
  resource,
  specOf,
  text,
} from '../index.ts'
import type { Fields } from './noun.ts'

const fields = { id: identity(), firstName: text(), lastName: text() }
const person = noun('person', fields, { computed: { fullName: text({ maxLength: 80 }), age: integer().nullable() } })
const team = noun('team', { id: identity() })

describe('a computed field', () => {
  it('is no field of the record, and known by its plain data as one that only the server sets', () => {
    expect(Object.keys(person.fields)).toEqual(Object.keys(fields))
    const spec = specOf(person, 'fullName')
    expect(spec).toEqual({ kind: 'text', maxLength: 80, managed: 'computed' })
    expect([isMutable(spec), isStored(spec), isStored(createdAt().spec)]).toEqual([false, false, true])
  })

  it('stands behind the fields where nothing is said, and is neither written, filtered nor sorted by', () => {
    const people = api('people', { versioning: 'per-noun', writes: 'nested', resources: [resource(person)] })
    const [list, , create] = operations(people)
    expect(list?.shape.properties.map(({ name }) => name)).toEqual([...Object.keys(fields), 'fullName', 'age'])
    const named = list?.list?.parameters.map((one) => (one.kind === 'sort' ? [...one.fields.keys()] : one.name))
    expect(named).toEqual(['pageNumber', 'pageSize', Object.keys(fields), 'include', ...Object.keys(fields)])
    expect(create?.body?.properties.map(({ name }) => name)).toEqual(['firstName', 'lastName'])
    expect(create?.body?.ignored).toEqual(['fullName', 'age'])
  })

  it('is shown under another name, and where a shape names it only', () => {
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
    ['is stored already', 'lastName', text(), 'noun "person", computed field "lastName": is stored already.'],
    ['is unique', 'fullName', text().unique(), 'computed field "fullName": "unique" is said of it'],
    ['has a default', 'fullName', text().default(''), '"default" is said of it'],
    ['has a default and may be null', 'fullName', text().nullable().default(''), '"default" is said of it'],
    ['takes a default', 'fullName', text().defaultFrom('lastName'), '"defaultFrom" is said of it'],
    ['is managed', 'since', createdAt(), '"managed" is said of it'],
    ['has no index', 'fullName', text().unindexed(), '"unindexed" is said of it'],
    ['had another name', 'fullName', text().renamedFrom('name'), '"renamedFrom" is said of it'],
    ['has transitions', 'stage', choice({ A: ['B'], B: [] }), '"transitions" is said of it'],
    ['is an identity', 'key', identity(), 'cannot be of the kind identity'],
    ['is a reference', 'team', reference(() => team), 'cannot be of the kind reference'],
    ['is no field', 'fullName', {} as Fields[string], 'is no field'],
    ['has limits that contradict', 'age', integer({ min: 2, max: 1 }), 'its lower limit is above its upper limit'],
    ['is named as no property is', 'FullName', text(), '"FullName" is no property name'],
  ])('is refused where it %s', (_, name, field, told) => {
    expect(() => noun('person', fields, { computed: { [name]: field } })).toThrow(told)
  })

  it('is refused where only what is stored can be named', () => {
    const told = (place: string) => `resource "person": ${place} names "fullName", which is computed`
    // @ts-expect-error: it is computed
    expect(() => resource(person, { search: ['fullName'] })).toThrow(told('search'))
    // @ts-expect-error: it is computed
    expect(() => resource(person, { by: ['fullName'] })).toThrow(told('by'))
    // @ts-expect-error: it is computed
    expect(() => resource(person, { display: ['fullName'] })).toThrow(told('display'))
    // @ts-expect-error: it is computed
    expect(() => resource(person, { defaultFilter: { fullName: 'x' } })).toThrow(told('defaultFilter'))
    // @ts-expect-error: it is computed
    expect(() => resource(person, { filters: { called: equal('fullName') } })).toThrow(told('the filter "called"'))
    // @ts-expect-error: it is computed
    expect(() => resource(person, { filters: { aged: range('age') } })).toThrow('the filter "aged" names "age"')
    // @ts-expect-error: it is computed
    expect(() => noun('person', fields, { label: 'fullName', computed: { fullName: text() } })).toThrow('"fullName"')
    // @ts-expect-error: it is computed
    expect(() => noun('person', fields, { unique: [['mail']], computed: { mail: email() } })).toThrow('"mail"')
    expect(() =>
      noun('person', { ...fields, nick: text().defaultFrom('fullName') }, { computed: { fullName: text() } }),
    ).toThrow('its default comes from "fullName", which the noun does not have')
  })

  it('is refused under the name of another that a resource shows', () => {
    expect(() => resource(person, { rename: { fullName: 'lastName' } })).toThrow('shows two fields as "fullName"')
    // @ts-expect-error: there is none
    expect(() => resource(person, { rename: { name: 'fulName' } })).toThrow('did you mean "fullName"?')
  })

  it('gives its name to no filter but one that the service file gives a meaning', () => {
    expect(() => resource(person, { filters: { fullName: equal('lastName') } })).toThrow('cannot be called "fullName"')
    expect(() => resource(person, { filters: { full: custom(text()) } })).toThrow('call it "fullName"')
    expect(() => resource(person, { filters: { lastName: custom(text()) } })).toThrow('cannot be called "lastName"')
    const { options } = resource(person, { filters: { fullName: custom(text()) } })
    expect(Object.keys(options.filters)).toEqual(['fullName'])
    expect(() =>
      resource(noun('person', { ...fields, old: boolean() }), { filters: { aged: equal('old') } }),
    ).not.toThrow()
  })
})
