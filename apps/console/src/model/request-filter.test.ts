import { expect, it } from 'vitest'
import { matchesFilter, statusClass } from './request-filter.ts'

const list = { method: 'GET', path: '/user', query: 'search=J%C3%BAlia+Falc%C3%A3o', status: 200 }
const failed = { method: 'DELETE', path: '/user/7', query: '', status: 409 }
const lost = { method: 'GET', path: '/user/7', query: '', status: 0 }

it('finds requests by words of method, URL and status', () => {
  const find = (text: string) => [list, failed, lost].filter((request) => matchesFilter(request, { text }))
  expect(find('')).toEqual([list, failed, lost])
  expect(find('/USER/7')).toEqual([failed, lost])
  expect(find('delete 409')).toEqual([failed])
  expect(find('julia falcao')).toEqual([list])
  expect(find('department')).toEqual([])
})

it('finds requests by method and class of the status', () => {
  expect([list, failed, lost].map(statusClass)).toEqual(['2xx', '4xx', 'none'])
  const find = (filter: object) =>
    [list, failed, lost].filter((request) => matchesFilter(request, { text: '', ...filter }))
  expect(find({ method: 'GET' })).toEqual([list, lost])
  expect(find({ statusClass: '4xx' })).toEqual([failed])
  expect(find({ method: 'GET', statusClass: 'none' })).toEqual([lost])
})
