/** Compares all data of the directory, to prove that a rejected request has not changed it. */
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

/** Lists, links and ETags, as text. */
async function readAll({ app }: Service): Promise<string[]> {
  const responses = await Promise.all(urls.map((url) => inject(app, { url })))
  return responses.map(({ statusCode, headers, body }, index) => `${urls[index]} ${statusCode} ${headers.etag} ${body}`)
}

/** Runs a function, and checks that it changed nothing. */
export async function expectUnchanged<Result>(service: Service, act: () => Promise<Result>): Promise<Result> {
  const before = await readAll(service)
  const result = await act()
  expect(await readAll(service)).toEqual(before)
  return result
}
