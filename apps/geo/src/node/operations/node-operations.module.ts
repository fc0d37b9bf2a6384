import { Module } from '@nestjs/common';
import { NodeModule } from '../node.module';
import { NodeOperations } from './node.operations';

/** Operations on replication nodes, for administrators. */
@Module({ imports: [NodeModule], controllers: [NodeOperations] })
export class NodeOperationsModule {}
