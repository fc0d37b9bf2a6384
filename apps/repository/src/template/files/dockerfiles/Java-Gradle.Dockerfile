FROM gradle:8-jdk21 AS build
WORKDIR /src
COPY . .
RUN gradle --no-daemon bootJar

FROM eclipse-temurin:21-jre
COPY --from=build /src/build/libs/*.jar /app.jar
USER nobody
CMD ["java", "-jar", "/app.jar"]
