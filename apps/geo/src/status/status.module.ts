import { Module } from '@nestjs/common';
import { OwnStatus } from './own-status';

/** How replication nodes are. */
@Module({ providers: [OwnStatus], exports: [OwnStatus] })
export class StatusModule {}
