import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { GatewayMetrics } from './metrics';

/** Endpoints for operators and orchestrators. */
@Module({
  controllers: [HealthController],
  providers: [GatewayMetrics],
})
export class HealthModule {}
