/** The OpenAPI document of a shop that does not follow the conventions. */

export const shop = `openapi: 3.0.3
info: { title: Shop, version: "1", description: Customers and their orders. }
paths:
  /api/v2/customers:
    get:
      description: Customers that have not left.
      parameters:
        - { name: q, in: query, schema: { type: string } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: createdFrom, in: query, schema: { type: string, format: date-time } }
        - { name: createdTo, in: query, schema: { type: string, format: date-time } }
        - { name: region, in: query, schema: { type: string } }
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/CustomerPage" } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Customer" } } } }
      responses: { "201": { description: ok } }
  /api/v2/customers/{customerId}:
    parameters: [{ name: customerId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Customer" } } } } } }
    delete: { responses: { "204": { description: gone } } }
  /api/v2/customers/{customerId}/orders:
    parameters: [{ name: customerId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Order" } } } } } } }
  /api/v2/orders:
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Order" } } } } } } }
  /api/v2/orders/{number}:
    parameters: [{ name: number, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } } }
  /api/v2/orders/{number}/cancel:
    post: { responses: { "200": { description: ok } } }
  /api/v2/checkout/start:
    post: { responses: { "200": { description: ok } } }
components:
  schemas:
    CustomerPage:
      type: object
      properties:
        total: { type: integer }
        data: { type: array, items: { type: object, properties: { customerId: { type: integer }, full_name: { type: string } } } }
    Customer:
      description: Somebody who buys.
      allOf:
        - { type: object, required: [customerId, full_name], properties: { customerId: { type: integer }, full_name: { type: string, minLength: 1, maxLength: 80, description: First and last name., example: Ada Byron } } }
        - type: object
          required: [email, vip, customer_status]
          properties:
            email: { type: string, format: email }
            vip: { type: boolean, default: false }
            customer_status:
              type: string
              description: How well we know them.
              enum: [NEW, "IT'S GOOD"]
              x-enumDescriptions: { NEW: Since this year. }
            vip_since: { type: string, format: date, example: last year }
            credit: { type: number, minimum: 0, nullable: true }
            created: { type: string, format: date-time, readOnly: true }
            tags: { type: array, items: { type: string } }
            address: { type: object, properties: { street: { type: string } } }
            sort: { type: string }
            zip: { type: string, pattern: "^[0-9]{5}$" }
            nickname: { type: string, pattern: "^(?!admin)" }
            path: { type: string, pattern: "^/[a-z]+$", example: /home }
    Order:
      type: object
      required: [number, customer_id, total]
      properties:
        number: { type: string, maxLength: 20 }
        customer_id: { type: integer }
        total: { type: integer, maximum: 9007199254740991 }
        due: { type: string, format: date, nullable: true }
`
