/** Ownership of nested records: a delete of the owner deletes them too. */
import { type AnyResource, identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { modelOf } from '../src/store/model.ts'
import { plainApi, serviceOf } from './test-service.ts'

const post = noun('post', { id: identity(), title: text() })
const author = noun('author', { id: identity(), name: text() })
const comment = noun('comment', {
  id: identity(),
  post: reference(() => post),
  author: reference(() => author),
  words: text(),
})

const shown = ['id', 'post', 'author', 'words'] as const
const written = () => resource(comment, { complete: shown })
const readOnly = () => resource(comment, { complete: shown, offers: ['list', 'read'] })
const ownerOf = (...resources: AnyResource[]) =>
  modelOf(serviceOf([plainApi(...resources)]).operations).nouns.get('comment')?.owner

describe('a nested record', () => {
  it('belongs to the parent below which it is created, whatever the order of declaration', () => {
    const posts = resource(post, { children: [written()] })
    const authors = resource(author, { children: [readOnly()] })
    expect(ownerOf(posts, authors)).toBe('post')
    expect(ownerOf(authors, posts)).toBe('post')
  })

  it('belongs to the only parent below which it is shown, if it cannot be created', () => {
    expect(ownerOf(resource(post, { children: [readOnly()] }), resource(author))).toBe('post')
  })

  it('belongs to neither of two equal parents, and to none if it is at the root', () => {
    const [posts, authors] = [resource(post, { children: [readOnly()] }), resource(author, { children: [readOnly()] })]
    expect(ownerOf(posts, authors)).toBeUndefined()
    expect(ownerOf(posts, resource(author), readOnly())).toBeUndefined()
  })
})
