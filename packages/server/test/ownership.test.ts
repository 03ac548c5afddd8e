/** Who owns a nested record, and so whose delete takes it along. */
import { type AnyResource, identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { modelOf } from '../src/store/model.ts'
import { plainApi, serviceOf } from './opened.ts'

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
const seen = () => resource(comment, { complete: shown, offers: ['list', 'read'] })
const ownerOf = (...resources: AnyResource[]) =>
  modelOf(serviceOf([plainApi(...resources)]).operations).nouns.get('comment')?.owner

describe('a nested record', () => {
  it('belongs to the parent below which it is created, whatever the order of declaration', () => {
    const posts = resource(post, { children: [written()] })
    const authors = resource(author, { children: [seen()] })
    expect(ownerOf(posts, authors)).toBe('post')
    expect(ownerOf(authors, posts)).toBe('post')
  })

  it('belongs to the one parent below which it is seen, where it is created nowhere', () => {
    expect(ownerOf(resource(post, { children: [seen()] }), resource(author))).toBe('post')
  })

  it('belongs to none of two parents alike, and to none where it stands at the root', () => {
    const [posts, authors] = [resource(post, { children: [seen()] }), resource(author, { children: [seen()] })]
    expect(ownerOf(posts, authors)).toBeUndefined()
    expect(ownerOf(posts, resource(author), seen())).toBeUndefined()
  })
})
