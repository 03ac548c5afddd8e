/** The OpenAPI document of a clinic, with an example of every change that an import makes, and the expected notes. */

export const clinic = `openapi: 3.0.3
info: { title: Clinic, version: "1" }
servers: [{ url: "https://clinic.example/api/v1" }]
security: [{ login: ["visits:write"] }]
paths:
  /pet:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, default: 20 } }
        - { name: offset, in: query, schema: { type: integer } }
        - { name: X-Tenant, in: header, schema: { type: string } }
      responses:
        "200":
          description: ok
          headers: { X-Total: { schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } } }
        default: { description: no, content: { application/json: { schema: { type: object, properties: { message: { type: string } } } } } }
    post:
      requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { name: { type: string }, photo: { type: string, format: binary } } } } } }
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } } }
  /pet/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } } } }
    delete: { deprecated: true, responses: { "204": { description: gone } } }
  /pet/{petId}/visit:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Visit" } } } } } } }
  /vets/{vetId}/visit:
    parameters: [{ name: vetId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Visit" } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Visit" } } } }
      responses: { "201": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Visit" } } } } }
  /visit/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      parameters: [{ name: expand, in: query, schema: { type: boolean } }]
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Visit" } } } } }
  /visit/{id}/bill:
    post: { responses: { "200": { description: ok } } }
components:
  securitySchemes:
    login: { type: oauth2, flows: {} }
  schemas:
    Pet:
      type: object
      required: [id, name, chip]
      properties:
        id: { type: integer }
        name: { type: string }
        chip: { type: string, format: hostname, default: "none" }
        weight: { type: string, format: decimal }
        born: { type: string, format: date, default: "unknown" }
        rank: { type: integer, enum: [1, 2], nullable: true }
        code: { type: string, nullable: true, readOnly: true }
        secret: { type: string, writeOnly: true }
        tags: { type: array, items: { type: string } }
        owner: { type: object, properties: { phone: { type: string } } }
    Visit:
      type: object
      required: [id, petId, vetId]
      properties:
        id: { type: integer }
        petId: { type: integer, default: 1 }
        vetId: { type: integer }
`

export const clinicNotes = {
  servers: 'Paths start with /v1, not with /api/v1. Map them in a proxy, or set the option prefix of the service.',
  'securitySchemes.login':
    'Not declared (oauth2): nomen serve --auth jwt accepts bearer tokens of an OpenID issuer. Its scopes (visits:write) become noun:read and noun:write.',
  errors: 'Errors are problem documents (application/problem+json) with code, detail and hint.',
  'GET /pet':
    'Becomes GET /v1/pet. Responds with a page, { pageInfo, results }, not an array. Does not send X-Total. Pages use ?pageNumber and ?pageSize, not ?limit and ?offset. Does not read the header X-Tenant.',
  'POST /pet': 'Becomes POST /v1/pet. Responds with 201, not 200. Accepts only JSON, not multipart/form-data.',
  'GET /pet/{petId}': 'Becomes GET /v1/pet/{id}.',
  'DELETE /pet/{petId}':
    'Becomes DELETE /v1/pet/{id}. Responds with 200 and the deleted record, not 204. It is deprecated in the document, but not in the declaration.',
  'GET /pet/{petId}/visit':
    'Becomes GET /v1/pet/{petId}/visit. Responds with a page, { pageInfo, results }, not an array.',
  'GET /vets/{vetId}/visit':
    'Becomes GET /v1/visit. {vetId} becomes the property vetId of visit, a plain value: there is no noun vet. Responds with a page, { pageInfo, results }, not an array.',
  'POST /vets/{vetId}/visit':
    'Becomes POST /v1/visit. {vetId} becomes the property vetId of visit, a plain value: there is no noun vet.',
  'GET /visit/{id}': 'Becomes GET /v1/visit/{id}. Does not accept ?expand.',
  'POST /visit/{id}/bill':
    'Left out: a path must be a noun, or a noun and its ID. Declare an action as a change of a record, or with operation().',
  '/visit': 'GET /visit is added: the document has no list.',
  pet: 'Responses have null for a missing weight, born.',
  'pet.born': 'Its default "unknown" is left out.',
  'pet.chip': 'Its format hostname is not checked: the field is text().',
  'pet.code': 'It is read-only in the document, but requests may set it here.',
  'pet.owner': 'Left out: a field cannot be an object. Declare its properties as fields, or a noun and a reference.',
  'pet.photo': 'Left out: the record in responses has no such property.',
  'pet.rank': 'Its values 1, 2 are not checked: write a rule.',
  'pet.secret': 'Left out: it is write-only, but responses contain all fields of a record.',
  'pet.tags': 'Left out: a field cannot be an array. Declare a noun for its values, as a child or with a link.',
  'pet.weight': 'Its format decimal is not checked: the field is text().',
  'visit.petId':
    'Its default 1 is left out: a reference cannot have one. Lists show the ID of the pet, not its label. To show the label, add the property to display.',
}
