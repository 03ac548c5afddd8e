/** Everything that the directory shows, to prove that a refused request changed none of it. */
import { inject } from '@nomen/testing/inject'
import { expect } from 'vitest'
import type { Service } from './service.ts'

const urls = [
  '/user-detail?pageSize=1000',
  '/v1/user?pageSize=1000',
  '/department?retired=true&retired=false&pageSize=1000',
  '/v1/application?pageSize=1000',
  '/v1/role?pageSize=1000',
  '/v1/action?pageSize=1000',
  '/user/1',
  '/user/1/preference',
  '/v1/user/1/role',
  '/v1/role/1/action',
  '/department/1',
]

/** Lists, links and entity tags, as text. */
async function everything({ app }: Service): Promise<string[]> {
  const answers = await Promise.all(urls.map((url) => inject(app, { url })))
  return answers.map(({ statusCode, headers, body }, index) => `${urls[index]} ${statusCode} ${headers.etag} ${body}`)
}

/** Does what is given, and finds everything as it was. */
export async function changingNothing<Result>(service: Service, act: () => Promise<Result>): Promise<Result> {
  const before = await everything(service)
  const result = await act()
  expect(await everything(service)).toEqual(before)
  return result
}
