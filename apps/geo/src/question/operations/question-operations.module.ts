import { Module } from '@nestjs/common';
import { ReplicationModule } from '../../replication/replication.module';
import { QuestionOperations } from './question.operations';

/** Questions of secondaries to their primary. */
@Module({ imports: [ReplicationModule], controllers: [QuestionOperations] })
export class QuestionOperationsModule {}
