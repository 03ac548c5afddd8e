import { expect, it } from 'vitest'
import { docsUrl } from './docs-url.ts'
import { serviceOf } from './service/service.ts'

const operation = { tags: ['user'], responses: {} }
const document = {
  info: { title: 'directory v1' },
  paths: { '/v1/user/{id}': { get: operation }, '/v1/user/change': { get: operation }, '/v1/plain': { get: {} } },
}
const service = serviceOf('directory', [{ document, base: 'http://a' }])
const url = (path: string, base = 'http://a') => docsUrl('../docs', service, { base, method: 'GET', path })

it('leads to the operation of a request', () => {
  expect(url('/v1/user/7')).toBe('../docs/#directory-v1/tag/user/GET/v1/user/{id}')
  expect(url('/v1/user/change')).toBe('../docs/#directory-v1/tag/user/GET/v1/user/change')
  // The usage names the parameters as it likes.
  expect(docsUrl('../docs', service, { method: 'GET', path: '/v1/user/{userRef}' })).toBe(url('/v1/user/7'))
})

it('is missing for requests that no document has, or without a tag', () => {
  expect([url('/usage'), url('/v1/plain'), url('/v1/user/7', 'http://b')]).toEqual([undefined, undefined, undefined])
})
