FROM composer:2 AS vendor
WORKDIR /app
COPY composer.json composer.lock ./
RUN composer install --no-dev --no-interaction --optimize-autoloader

FROM php:8.3-apache
COPY . /var/www/html
COPY --from=vendor /app/vendor /var/www/html/vendor
