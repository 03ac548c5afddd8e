/** A service with two nouns, for commands that send requests to every operation. */
import { api, identity, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'

const user = noun('user', { id: identity(), name: text() })
const post = noun('post', { id: identity(), title: text() })

const people = api('directory', { versioning: 'per-noun', writes: 'nested', resources: [resource(user)] })
const posts = api('post', { versioning: 'whole', version: 1, writes: 'nested', resources: [resource(post)] })

export default service({ name: 'directory', apis: [people, posts] })
