/** A NestJS application with one CRUD controller. Compiled before it is run. */
import 'reflect-metadata'
import { Crud, type CrudController } from '@dataui/crud'
import { TypeOrmCrudService } from '@dataui/crud-typeorm'
import { Controller, Inject, Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { getRepositoryToken, TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm'
import type { Repository } from 'typeorm'
import { User } from './user.mjs'

const { DATABASE = '', PORT } = process.env

const connection: TypeOrmModuleOptions = DATABASE.startsWith('postgres:')
  ? { type: 'postgres', url: DATABASE, poolSize: 12 }
  : { type: 'better-sqlite3', database: DATABASE }

@Injectable()
class UserService extends TypeOrmCrudService<User> {}

@Crud({ model: { type: User }, query: { alwaysPaginate: true, limit: 10, maxLimit: 1000 } })
@Controller('user')
class UserController implements CrudController<User> {
  @Inject(UserService)
  service!: UserService
}

const userService = {
  provide: UserService,
  useFactory: (users: Repository<User>) => new UserService(users),
  inject: [getRepositoryToken(User)],
}

@Module({
  imports: [TypeOrmModule.forRoot({ ...connection, entities: [User] }), TypeOrmModule.forFeature([User])],
  providers: [userService],
  controllers: [UserController],
})
class AppModule {}

const app = await NestFactory.create(AppModule)
await app.listen(Number(PORT), '127.0.0.1')
