import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm'

const isPostgres = process.env.DATABASE?.startsWith('postgres:')
const moment = isPostgres ? 'timestamptz' : 'datetime'

@Entity('user')
export class User {
  @PrimaryGeneratedColumn()
  id!: number

  @Column()
  firstName!: string

  @Column()
  lastName!: string

  @Column({ unique: true })
  username!: string

  @Column({ unique: true })
  email!: string

  @Column()
  phone!: string

  @Column()
  extension!: string

  @Column()
  status!: string

  @Column()
  department!: number

  @Column({ type: 'integer', nullable: true })
  supervisor!: number | null

  @Column({ type: 'varchar', nullable: true })
  avatarColor!: string | null

  @CreateDateColumn({ type: moment })
  created!: Date

  @Column({ type: 'integer', nullable: true })
  createdBy!: number | null

  @UpdateDateColumn({ type: moment })
  lastUpdated!: Date

  @Column({ type: 'integer', nullable: true })
  updatedBy!: number | null
}
