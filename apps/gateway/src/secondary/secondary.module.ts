import { Module } from '@nestjs/common';
import { Copies } from './copies';
import { Primary } from './primary';

/** Requests that a secondary site answers itself, and those that its primary answers. */
@Module({ providers: [Copies, Primary], exports: [Copies, Primary] })
export class SecondaryModule {}
