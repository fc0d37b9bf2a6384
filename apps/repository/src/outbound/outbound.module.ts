import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { GitOutbound } from './git-outbound';

/** Outgoing connections of git. */
@Module({ providers: [GitOutbound, OutboundPolicies], exports: [GitOutbound, OutboundPolicies] })
export class OutboundModule {}
