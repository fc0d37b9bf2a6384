import { Module } from '@nestjs/common';
import { Copies } from './copies';
import { Primary } from './primary';

/** What a site that holds copies answers itself, and where its primary is. */
@Module({ providers: [Copies, Primary], exports: [Copies, Primary] })
export class SecondaryModule {}
