// A list that is filtered by more values of a choice than SQLite allows selects in one statement.
import { choice, identity, noun, resource } from '@nomen/core'
import { expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

it('a list can be filtered by hundreds of values of a choice', async () => {
  const codes = Array.from({ length: 600 }, (_, index) => `C${index}`)
  const item = noun('item', { id: identity(), code: choice(...codes) })
  const app = await openService(serviceOf([plainApi(resource(item))]))
  for (const code of ['C1', 'C599', 'C7']) await app.send('POST', '/item', { code })
  for (const count of [2, 400, 401, 599]) {
    const query = codes.slice(0, count).map((code) => `code=${code}`)
    const { status, body } = await app.get(`/item?pageSize=1&pageNumber=2&${query.join('&')}`)
    expect([status, body.pageInfo?.numberOfRecords], `${count} values`).toEqual([200, count > 7 ? 2 : 1])
  }
})
