// Names that collide with keywords or internal names of the database.
import { boolean, identity, noun, reference, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
import { expect, it } from 'vitest'
import { openService, plainApi } from './test-service.ts'

const fields = {
  id: identity(),
  name: text(),
  found: boolean(),
  old: boolean(),
  new: boolean(),
  insert: boolean(),
  delete: boolean(),
}

it.each(['place', 'extra', 'fitting', 'page', 'known', 'made', 'gone', 'near'])(
  'work like other names: %s',
  async (name) => {
    const thing = noun(name, fields, { label: 'name' })
    const user = noun('user', { id: identity(), thing: reference(() => thing) })
    const rows = Array.from({ length: 700 }, (_, at) => {
      const id = at + 1
      return { id, name: `n${id}`, found: id % 2 === 0, old: id % 3 === 0, new: false, insert: false, delete: true }
    })
    const users = rows.map(({ id }) => ({ id, thing: id }))
    const { send, get } = await openService(
      service({
        name: 'awkward',
        apis: [plainApi(resource(thing), resource(user))],
        sample: () => [
          { noun: name, rows },
          { noun: 'user', rows: users },
        ],
      }),
    )
    const created = await send('POST', `/${name}`, {
      name: 'more',
      found: true,
      old: true,
      new: true,
      insert: true,
      delete: true,
    })
    expect(created.status).toBe(201)
    expect((await send('PATCH', `/${name}/1`, { found: true })).status).toBe(200)
    expect((await send('DELETE', `/${name}/701`)).status).toBe(200)
    const idsOf = async (query: string) => {
      const { body } = await get(`/${name}?${query}`)
      return [body.pageInfo.numberOfRecords, body.results.map(({ id }: { id: number }) => id)]
    }
    expect(await idsOf('pageNumber=60')).toEqual([700, [591, 592, 593, 594, 595, 596, 597, 598, 599, 600]])
    expect(await idsOf('found=true&pageSize=3')).toEqual([351, [1, 2, 4]])
    expect(await idsOf('found=true&pageSize=2&pageNumber=2&include=3')).toEqual([352, [3, 4]])
    expect(await idsOf('found=true&old=true&pageSize=2&include=3')).toEqual([117, [3, 6]])
    expect((await send('PATCH', `/${name}/2`, { insert: true, delete: false })).status).toBe(200)
    expect(await idsOf('insert=true')).toEqual([1, [2]])
    expect((await get('/user?pageNumber=70&pageSize=10')).body.results).toHaveLength(10)
  },
)
