"""What a note says of a person besides a name: age, sex, kin, occupation."""
