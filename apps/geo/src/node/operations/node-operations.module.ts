import { Module } from '@nestjs/common';
import { NodeModule } from '../node.module';
import { NodeOperations } from './node.operations';

/** Replication nodes as administrators declare them. */
@Module({ imports: [NodeModule], controllers: [NodeOperations] })
export class NodeOperationsModule {}
