// The records of the drawer in the URL of the page.
import { describe, expect, it } from 'vitest'
import { addressText, parseAddress, unchangedLevels } from './drawer.ts'

describe('the drawer', () => {
  it('is in the URL, in the order in which its records were opened, and not part of the query', () => {
    const url = '/user?status=ACTIVE&_record=/user/7&_record=/department/a%252Fb'
    const address = parseAddress(url)
    expect([address.path, `${address.query}`]).toEqual(['/user', 'status=ACTIVE'])
    expect(address.drawer).toEqual(['/user/7', '/department/a%2Fb'])
    expect(addressText(address)).toBe(url)
    expect(addressText({ ...address, drawer: [] })).toBe('/user?status=ACTIVE')
    expect(addressText(parseAddress(''))).toBe('/')
  })

  it.each([
    ['/user', '/user?_record=/user/7', 0],
    ['/user?_record=/user/7', '/user?_record=/user/7&_record=/user/1', 1],
    ['/user?_record=/user/7&_record=/user/1', '/user?_record=/user/7', 1],
    ['/user?_record=/user/7', '/user?pageNumber=2&_record=/user/8', 0],
    ['/user?_record=/user/7', '/user', 0],
    ['/user?_record=/user/7', '/department?_record=/user/7', -1],
  ])('from %s to %s keeps %i levels', (before, next, kept) => {
    expect(unchangedLevels(parseAddress(before), parseAddress(next))).toBe(kept)
  })
})
